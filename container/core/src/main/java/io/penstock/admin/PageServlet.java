package io.penstock.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Serves the files of the flow board, a live page for operators. The files are resources in the package of this class. */
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** The files and their media types, by the path of the request. */
    private static final Map<String, Part> PARTS = Map.of(
            "/", new Part("board.html", "text/html; charset=utf-8"),
            "/board.css", new Part("board.css", "text/css; charset=utf-8"),
            "/board.js", new Part("board.js", "text/javascript; charset=utf-8"),
            "/board.svg", new Part("board.svg", "image/svg+xml"));

    private record Part(String file, String type) {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Part part = PARTS.get(request.getRequestURI());
        if (part == null) {
            response.sendError(404);
            return;
        }
        try (InputStream file = PageServlet.class.getResourceAsStream(part.file())) {
            if (file == null) {
                throw new IOException(part.file() + " is missing in the jar");
            }
            Plain.send(response, part.type(), file.readAllBytes());
        }
    }
}
