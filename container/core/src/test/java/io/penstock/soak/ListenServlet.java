package io.penstock.soak;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads the request body in non-blocking mode, and then sends the body back. */
final class ListenServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        ServletInputStream body = request.getInputStream();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        body.setReadListener(new ReadListener() {
            @Override
            public void onDataAvailable() throws IOException {
                byte[] buffer = new byte[1_000];
                while (body.isReady() && !body.isFinished()) {
                    int count = body.read(buffer);
                    if (count > 0) {
                        read.write(buffer, 0, count);
                    }
                }
            }

            @Override
            public void onAllDataRead() throws IOException {
                response.getOutputStream().write(Reply.preface(request).getBytes(StandardCharsets.ISO_8859_1));
                response.getOutputStream().write(read.toByteArray());
                async.complete();
            }

            @Override
            public void onError(Throwable failure) {
                // If the server had no memory for the body, the status is 503. After any other failure, the status is
                // 410, and the test fails if a client receives this response.
                boolean refused = "pipe-budget".equals(failure.getMessage());
                response.setStatus(refused ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : HttpServletResponse.SC_GONE);
                response.setHeader("X-Failure", failure.toString());
                async.complete();
            }
        });
    }
}
