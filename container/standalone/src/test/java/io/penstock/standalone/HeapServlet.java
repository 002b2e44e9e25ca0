package io.penstock.standalone;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Fills the heap, and keeps the objects. After {@code /fill-all}, the heap has no free space. After {@code /fill}, the heap has 1 MiB of
 * free space for other requests.
 */
@WebServlet("/heap/*")
public class HeapServlet extends HttpServlet {
    private static final int CHUNK = 16 << 10;
    private static final int FREE_FOR_OTHER_REQUESTS = 1 << 20;
    private static final ArrayDeque<byte[]> KEPT = new ArrayDeque<>(1 << 16);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getPathInfo()) {
            case "/fill" -> fill(FREE_FOR_OTHER_REQUESTS);
            case "/fill-all" -> fill(0);
            case "/huge" -> response.getWriter().print(new byte[Integer.MAX_VALUE].length);
            default -> response.getWriter().print("here");
        }
    }

    private static void fill(int left) {
        synchronized (KEPT) {
            try {
                while (true) {
                    KEPT.add(new byte[CHUNK]);
                }
            } catch (OutOfMemoryError e) {
                for (int freed = 0; freed < left; freed += CHUNK) {
                    KEPT.poll();
                }
                throw e;
            }
        }
    }
}
