package com.example.shop;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;

/** Waits in a worker for a simulated database, until the test calls {@link #releaseDatabase}. */
public final class OrderServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch database = new CountDownLatch(1);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        load();
        response.getWriter().print("an order");
    }

    private void load() throws IOException {
        try {
            database.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(stopped);
        }
    }

    /** After this call, no request waits for the simulated database. */
    public void releaseDatabase() {
        database.countDown();
    }
}
