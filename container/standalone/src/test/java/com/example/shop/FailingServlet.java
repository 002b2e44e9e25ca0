package com.example.shop;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.logging.Logger;

/** Logs through {@code java.util.logging}, as some libraries do, and then throws an exception. */
@WebServlet("/fail")
public final class FailingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        Logger.getLogger("com.example.shop").warning("said by java.util.logging");
        throw new IllegalStateException("on purpose");
    }
}
