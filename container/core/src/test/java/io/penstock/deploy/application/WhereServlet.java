package io.penstock.deploy.application;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Sends the servlet path and the path info of the request. */
@WebServlet(urlPatterns = {"*.do", "/area/start/*", "/exact/home"})
public class WhereServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print(request.getServletPath() + " " + request.getPathInfo());
    }
}
