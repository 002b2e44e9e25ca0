package io.penstock.websocket.application;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet that reports whether its application has a WebSocket engine. */
@WebServlet("/engine")
public class EngineServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object engine = getServletContext().getAttribute("jakarta.websocket.server.ServerContainer");
        response.getWriter().print(engine == null ? "no engine" : "an engine");
    }
}
