package io.penstock.sample.board;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers with the URL of the flow board. The URL is empty if there is no flow board, or if the client cannot reach it. */
@WebServlet("/board")
public class BoardServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String url = FlowBoard.ofThisServer().urlFor(request.getRemoteAddr());
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        response.getWriter().print("{\"url\": \"" + url + "\"}");
    }
}
