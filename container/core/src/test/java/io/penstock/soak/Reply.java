package io.penstock.soak;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes the response of a servlet. The response contains each {@link Token} of the request, and then the requested number of bytes. */
final class Reply {
    private static final int PIECE = 3_000;

    private Reply() {}

    /** Returns the first lines of the response. They contain the tokens. */
    static String preface(HttpServletRequest request) {
        return "path " + pathToken(request) + "\nquery " + request.getParameter("query") + "\nheader "
                + request.getHeader("X-Token") + "\ncookie " + cookie(request) + "\n";
    }

    static String pathToken(HttpServletRequest request) {
        return String.valueOf(request.getPathInfo()).substring(1);
    }

    private static @Nullable String cookie(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals("token")) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    /** Writes the token from the header X-Token repeatedly. The request parameter {@code size} is the number of bytes. */
    static void filler(HttpServletRequest request, OutputStream out) throws IOException {
        String size = request.getParameter("size");
        int left = size == null ? 0 : Integer.parseInt(size);
        byte[] word = (request.getHeader("X-Token") + "\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] piece = new byte[PIECE - PIECE % word.length];
        for (int i = 0; i < piece.length; i++) {
            piece[i] = word[i % word.length];
        }
        while (left > 0) {
            int count = Math.min(left, piece.length);
            out.write(piece, 0, count);
            left -= count;
        }
    }

    /** Writes the preface and the filler. */
    static void whole(HttpServletRequest request, OutputStream out) throws IOException {
        out.write(preface(request).getBytes(StandardCharsets.ISO_8859_1));
        filler(request, out);
    }
}
