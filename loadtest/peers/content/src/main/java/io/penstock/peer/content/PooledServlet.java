package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/**
 * {@code ?bytes=N}: reads the request body, and writes N bytes. During the whole call, the servlet holds one of ten permits. The permits
 * simulate the connections of a database pool.
 */
public final class PooledServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;
    private static final int SIZE = 10;
    private static final Semaphore PERMITS = new Semaphore(SIZE, true);

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long bytes = parameter(request, response, "bytes");
        if (bytes < 0) {
            return;
        }
        try {
            PERMITS.acquire();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("The server stops").initCause(stopped);
        }
        Long taken = Calls.takePermit();
        try {
            Body.read(request);
            Body.write(response, bytes);
            // The permit is held until the response is sent. Many applications also close a transaction only after the
            // view has been written.
            response.flushBuffer();
        } finally {
            Calls.givePermit(taken);
            PERMITS.release();
        }
    }
}
