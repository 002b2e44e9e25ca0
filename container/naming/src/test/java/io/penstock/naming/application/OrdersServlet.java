package io.penstock.naming.application;

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

/** Queries the database through the injected data source. Also looks up the data source by its JNDI name. */
@WebServlet("/orders")
@SuppressWarnings("BanJNDI") // This class must use JNDI.
public class OrdersServlet extends HttpServlet {
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
