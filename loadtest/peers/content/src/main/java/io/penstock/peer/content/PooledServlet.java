package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/**
 * {@code ?bytes=N}: reads the body and writes that many bytes. During the whole call, the servlet holds one of ten permits,
 * which stand for database connections.
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
            // The permit is held until the client has the answer, as with a filter that closes the transaction after
            // the view.
            response.flushBuffer();
        } finally {
            Calls.givePermit(taken);
            PERMITS.release();
        }
    }
}
