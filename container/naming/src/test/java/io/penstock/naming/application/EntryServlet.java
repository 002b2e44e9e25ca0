package io.penstock.naming.application;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Looks up an environment entry by its JNDI name, and answers with its value and its type. */
@WebServlet("/entry")
@SuppressWarnings("BanJNDI") // This class must use JNDI.
public class EntryServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try {
            Object value = new InitialContext().lookup("java:comp/env/mail/retries");
            response.getWriter().print(value + " " + value.getClass().getName());
        } catch (NamingException e) {
            throw new ServletException(e);
        }
    }
}
