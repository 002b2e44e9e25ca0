package io.penstock.standalone;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Runs a query through an injected data source. The response says whether a JNDI lookup returns the same data source. */
@WebServlet("/query")
@SuppressWarnings("BanJNDI") // This class needs JNDI names.
public class QueryServlet extends HttpServlet {
    @Resource(name = "jdbc/orders")
    private transient DataSource orders;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 6 * 7")) {
            rows.next();
            Object named = new InitialContext().lookup("java:comp/env/jdbc/orders");
            response.getWriter().print(rows.getInt(1) + (named == orders ? " by the same source" : " by another"));
        } catch (SQLException | NamingException e) {
            throw new ServletException(e);
        }
    }
}
