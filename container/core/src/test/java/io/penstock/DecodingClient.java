package io.penstock;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** A client that keeps its connection open. While the body of a response arrives, the client decodes the chunked coding and gzip. */
final class DecodingClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    DecodingClient(Penstock server) throws IOException {
        socket = new Socket("127.0.0.1", server.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PromptWaits.PATIENCE.toMillis());
        in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    }

    /**
     * The head of a response, and two streams of its body. The stream {@code framed} has no chunked coding, but can have gzip. The stream
     * {@code decoded} has no chunked coding and no gzip.
     */
    record Response(String status, List<String> lines, InputStream framed, InputStream decoded) {

        boolean isCompressed() {
            return lines.contains("Content-Encoding: gzip");
        }

        /** Checks that the decoded body and the framed body have no more bytes. */
        void requireEnd() throws IOException {
            if (decoded.read() >= 0 || framed.read() >= 0) {
                throw new IOException("the body has more bytes than expected");
            }
        }
    }

    /** Sends a GET request, and reads the head of the response. The caller must read the body to its end before the next call. */
    Response get(String target, String... lines) throws IOException {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: good.example\r\n");
        for (String line : lines) {
            request.append(line).append("\r\n");
        }
        socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        String status = line(in);
        List<String> fields = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            fields.add(line);
        }
        InputStream framed =
                fields.contains("Transfer-Encoding: chunked") ? new Chunks(in) : new Rest(in, length(fields));
        InputStream decoded = fields.contains("Content-Encoding: gzip") ? new GZIPInputStream(framed) : framed;
        return new Response(status, fields, framed, decoded);
    }

    private static long length(List<String> fields) {
        return fields.stream()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToLong(line -> Long.parseLong(line.substring(16)))
                .findFirst()
                .orElseThrow();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection has ended");
            }
            line.append((char) b);
        }
        return line.substring(0, line.length() - 1);
    }

    /** A body with a declared number of bytes. */
    private static final class Rest extends InputStream {
        private final InputStream in;
        private long left;

        Rest(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(target, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the body is cut off");
            }
            left -= count;
            return count;
        }
    }

    /** A body in chunks (RFC 9112 section 7.1). */
    private static final class Chunks extends InputStream {
        private final InputStream in;
        private Rest chunk;
        private boolean first = true;
        private boolean ended;

        Chunks(InputStream in) {
            this.in = in;
            chunk = new Rest(in, 0);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (ended) {
                return -1;
            }
            if (chunk.left == 0) {
                next();
            }
            return ended ? -1 : chunk.read(target, offset, length);
        }

        private void next() throws IOException {
            if (!first && !line(in).isEmpty()) {
                throw new IOException("a chunk is longer than its size");
            }
            first = false;
            chunk = new Rest(in, Long.parseLong(line(in), 16));
            if (chunk.left == 0) {
                ended = true;
                if (!line(in).isEmpty()) {
                    throw new IOException("the response has unexpected trailers");
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
