package io.penstock.files;

import io.penstock.http.FieldList;
import io.penstock.request.FileTransfer;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A response that records its status, fields and body. */
class FakeResponse extends HttpServletResponseWrapper implements FileTransfer {
    final FieldList fields = new FieldList();
    final List<String> regions = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status = 200;
    private long length = -1;
    private String contentType;
    private PrintWriter writer;
    private BodyOutput bodyOutput = BodyOutput.NONE;

    private enum BodyOutput {
        NONE,
        BYTES,
        TEXT
    }

    FakeResponse() {
        super(Unsupported.of(HttpServletResponse.class));
    }

    byte[] bytes() {
        if (writer != null) {
            writer.flush();
        }
        return body.toByteArray();
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    long length() {
        return length;
    }

    @Override
    public boolean canSendFile() {
        return bodyOutput == BodyOutput.NONE;
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        try (file) {
            regions.add(position + "+" + count);
            ByteBuffer region = ByteBuffer.allocate((int) count);
            while (region.hasRemaining() && file.read(region, position + region.position()) > 0) {
                bodyOutput = BodyOutput.BYTES;
            }
            body.write(region.array());
            length = count;
        }
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (bodyOutput == BodyOutput.TEXT) {
            throw new IllegalStateException("the writer is in use");
        }
        bodyOutput = BodyOutput.BYTES;
        return new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(int b) {
                body.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int count) {
                body.write(bytes, offset, count);
            }
        };
    }

    @Override
    public PrintWriter getWriter() {
        if (bodyOutput == BodyOutput.BYTES) {
            throw new IllegalStateException("the output stream is in use");
        }
        bodyOutput = BodyOutput.TEXT;
        writer = writer == null ? new PrintWriter(body, false, StandardCharsets.UTF_8) : writer;
        return writer;
    }

    @Override
    public void setStatus(int code) {
        status = code;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void sendError(int code) {
        status = code;
    }

    @Override
    public void sendRedirect(String location) {
        status = 302;
        fields.set("Location", location);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return url;
    }

    @Override
    public void setHeader(String name, String value) {
        if (value == null) {
            fields.remove(name);
        } else {
            fields.set(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        fields.add(name, value);
    }

    @Override
    public String getHeader(String name) {
        return fields.first(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return fields.all(name);
    }

    @Override
    public void setContentLengthLong(long count) {
        length = count;
    }

    @Override
    public void setContentType(String type) {
        contentType = type;
    }

    @Override
    public String getContentType() {
        return contentType;
    }
}
