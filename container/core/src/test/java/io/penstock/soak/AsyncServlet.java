package io.penstock.soak;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Sends responses asynchronously. The request parameter {@code how} selects the way in which the response is sent. */
final class AsyncServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final long SOON_MILLIS = 5;
    private static final long LONG_MILLIS = 60_000;

    private final transient ScheduledExecutorService threads;
    private final transient LateWriters late;
    private final transient Set<String> excuses;
    private final LongAdder ended = new LongAdder();

    /** @param excuses the set to which the servlet adds the {@link Token} of a request if the timeout occurs during a write */
    AsyncServlet(ScheduledExecutorService threads, LateWriters late, Set<String> excuses) {
        this.threads = threads;
        this.late = late;
        this.excuses = excuses;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(LONG_MILLIS);
        switch (String.valueOf(request.getParameter("how"))) {
            case "thread" -> {
                late.keep(request, response.getOutputStream());
                later(() -> answer(async, request, response));
            }
            case "start" -> async.start(contained(() -> answer(async, request, response)));
            case "timeout" -> {
                async.setTimeout(SOON_MILLIS);
                async.addListener(new TimeoutListener(request, response, new AtomicBoolean(), excuses));
            }
            case "dispatch" -> later(() -> async.dispatch("/echo/" + Reply.pathToken(request)));
            case "race" -> race(async, request, response);
            default -> response.sendError(HttpServletResponse.SC_BAD_REQUEST);
        }
    }

    /** Lets the timeout and a task of the application occur at the same time. The first of the two sends the response. */
    private void race(AsyncContext async, HttpServletRequest request, HttpServletResponse response) {
        AtomicBoolean answered = new AtomicBoolean();
        async.setTimeout(SOON_MILLIS);
        async.addListener(new TimeoutListener(request, response, answered, excuses));
        later(() -> {
            if (answered.compareAndSet(false, true)) {
                answer(async, request, response);
            }
        });
    }

    private static void answer(AsyncContext async, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            Reply.whole(request, response.getOutputStream());
        } finally {
            async.complete(); // also if the client has disconnected
        }
    }

    /** A task for a thread of the application. */
    private interface Task {
        void run() throws IOException;
    }

    private void later(Task task) {
        threads.schedule(contained(task), SOON_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Runnable contained(Task task) {
        return () -> {
            try {
                task.run();
            } catch (IOException | IllegalStateException e) {
                // The client has disconnected or the timeout has occurred, so the container has ended the exchange.
                ended.increment();
            }
        };
    }

    /** Sends the response at the timeout if no thread has sent a response before. */
    private static final class TimeoutListener implements AsyncListener {
        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private final AtomicBoolean answered;
        private final Set<String> excuses;

        TimeoutListener(
                HttpServletRequest request, HttpServletResponse response, AtomicBoolean answered, Set<String> excuses) {
            this.request = request;
            this.response = response;
            this.answered = answered;
            this.excuses = excuses;
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            if (answered.compareAndSet(false, true)) {
                Reply.whole(request, response.getOutputStream());
                event.getAsyncContext().complete();
            } else {
                // A thread is still writing, so the client may get no response.
                excuses.add(request.getHeader("X-Token"));
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            // Nothing to do.
        }

        @Override
        public void onError(AsyncEvent event) {
            // Nothing to do: the client has disconnected.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            throw new IllegalStateException("startAsync must be called only once");
        }
    }
}
