package io.penstock.experiments.io.send;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The head of the only response on a connection (RFC 9112, section 2.1). Only the status and the content length are checked. */
record ResponseHead(String text) {
    private static final String END = "\r\n\r\n";
    private static final int LONGEST = 16 << 10;

    /**
     * Reads the head of a response.
     *
     * @param buffer an empty buffer; after the call, the bytes of the body that arrived with the head can be read from it
     */
    static ResponseHead read(ReadableByteChannel from, ByteBuffer buffer) throws IOException {
        while (true) {
            if (from.read(buffer) < 0) {
                throw new EOFException("the server closed the connection before the end of the response head");
            }
            ByteBuffer soFar = buffer.duplicate().flip();
            String text = StandardCharsets.ISO_8859_1.decode(soFar).toString();
            int end = text.indexOf(END);
            if (end >= 0) {
                buffer.flip().position(end + END.length());
                return new ResponseHead(text.substring(0, end));
            }
            if (text.length() > LONGEST) {
                throw new IOException(
                        "the response does not look like HTTP/1.1: no end of its head within " + LONGEST + " bytes");
            }
        }
    }

    /** Throws an exception if the status is not 200, or if the head does not declare a body of the given length. */
    void require(long length) throws IOException {
        String statusLine = text.lines().findFirst().orElse("");
        if (!statusLine.matches("HTTP/1\\.1 200( .*)?")) {
            throw new IOException("the server answered \"" + statusLine + "\" instead of the file");
        }
        String field = "content-length: " + length;
        if (text.lines().noneMatch(line -> line.toLowerCase(Locale.ROOT).strip().equals(field))) {
            throw new IOException("the server's response does not have Content-Length: " + length);
        }
    }
}
