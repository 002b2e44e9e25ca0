package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Reads request bodies, and writes response bodies of any length. The content is the same on every server. */
final class Body {
    private static final int BLOCK_LENGTH = 16 << 10;
    private static final byte[] BLOCK = block();

    private Body() {}

    /** Reads the body to its end and returns its length in bytes. */
    static long read(HttpServletRequest request) throws IOException {
        byte[] buffer = new byte[BLOCK_LENGTH];
        InputStream in = request.getInputStream();
        long length = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            length += n;
        }
        return length;
    }

    /**
     * Reads the given number of bytes from the request body, and writes each piece to the response. The last byte completes the response,
     * so the end of the request body is not read.
     */
    static void echo(HttpServletRequest request, HttpServletResponse response, int length) throws IOException {
        response.setContentType("text/plain");
        response.setContentLength(length);
        byte[] buffer = new byte[BLOCK_LENGTH];
        InputStream in = request.getInputStream();
        OutputStream out = response.getOutputStream();
        int left = length;
        while (left > 0) {
            int n = in.read(buffer);
            if (n < 0) {
                throw new EOFException("The body is shorter than " + length + " bytes");
            }
            out.write(buffer, 0, n);
            left -= n;
        }
    }

    static void write(HttpServletResponse response, long bytes) throws IOException {
        response.setContentType("text/plain");
        // Tomcat 7 does not have the method setContentLengthLong.
        response.setHeader("Content-Length", Long.toString(bytes));
        OutputStream out = response.getOutputStream();
        for (long left = bytes; left > 0; left -= BLOCK_LENGTH) {
            out.write(BLOCK, 0, (int) Math.min(left, BLOCK_LENGTH));
        }
    }

    /** Creates text that consists of lines of 64 bytes. */
    private static byte[] block() {
        byte[] block = new byte[BLOCK_LENGTH];
        for (int i = 0; i < block.length; i++) {
            block[i] = i % 64 == 63 ? (byte) '\n' : (byte) ('a' + i % 64 % 26);
        }
        return block;
    }
}
