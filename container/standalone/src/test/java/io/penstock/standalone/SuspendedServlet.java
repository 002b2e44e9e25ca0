package io.penstock.standalone;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Answers after a minute. Until then its requests hold no worker. */
@WebServlet(urlPatterns = "/suspended", asyncSupported = true)
public final class SuspendedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync().setTimeout(60_000);
    }
}
