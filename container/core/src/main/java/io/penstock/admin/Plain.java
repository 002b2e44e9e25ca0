package io.penstock.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends complete responses: text, JSON or bytes. */
final class Plain {
    private Plain() {}

    /** Sends a response with a status and one line of text. */
    static void answer(HttpServletResponse response, int status, String line) throws IOException {
        response.setStatus(status);
        text(response, line + "\n");
    }

    static void text(HttpServletResponse response, String text) throws IOException {
        send(response, "text/plain; charset=utf-8", text);
    }

    static void json(HttpServletResponse response, Json json) throws IOException {
        send(response, "application/json", json.toString());
    }

    static void send(HttpServletResponse response, String type, String text) throws IOException {
        send(response, type, text.getBytes(StandardCharsets.UTF_8));
    }

    static void send(HttpServletResponse response, String type, byte[] body) throws IOException {
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Whether the client wants JSON: by the parameter {@code format}, otherwise by the field {@code Accept}. */
    static boolean wantsJson(HttpServletRequest request) {
        String format = request.getParameter("format");
        String accept = request.getHeader("Accept");
        return format == null ? accept != null && accept.contains("application/json") : format.equals("json");
    }
}
