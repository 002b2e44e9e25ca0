package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.ServletHolder.Life;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the life cycle of a servlet (Servlet 6.1, section 2.3). */
final class ServletLifeTest {
    private final ContextFixture fixture = new ContextFixture();
    private final WebContext context = fixture.context;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void stop() throws InterruptedException {
        context.stop();
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
    }

    private ServletHolder declare(String name, Servlet servlet) {
        ServletHolder holder = context.servlets().declare(name, servlet);
        assertNotNull(holder);
        return holder;
    }

    private static void call(ServletHolder holder) throws Exception {
        holder.service(Nothing.REQUEST, Nothing.RESPONSE);
    }

    /** A servlet that throws the exceptions of {@link #atInit} and {@link #atService}. Each exception is thrown once. */
    private final class FailingServlet extends TestServlet {
        private static final long serialVersionUID = 1L;

        private final transient Queue<ServletException> atInit = new ArrayDeque<>();
        private final transient Queue<ServletException> atService = new ArrayDeque<>();

        FailingServlet() {
            super(fixture.diary);
        }

        @Override
        public void init() throws ServletException {
            throwNext(atInit);
            super.init();
        }

        @Override
        public void service(ServletRequest request, ServletResponse response) throws ServletException {
            throwNext(atService);
            super.service(request, response);
        }

        private void throwNext(Queue<ServletException> queue) throws ServletException {
            ServletException next = queue.poll();
            if (next != null) {
                throw next;
            }
        }
    }

    @Test
    void aServletIsInitialisedByItsFirstRequestAndDestroyedWithItsContext() throws Exception {
        ServletHolder servlet = declare("a", new TestServlet(fixture.diary));
        context.start();
        assertEquals(Life.NEW, servlet.life());
        call(servlet);
        call(servlet);
        assertEquals(Life.AVAILABLE, servlet.life());
        context.stop();
        context.stop();
        assertEquals(Life.DESTROYED, servlet.life());
        assertEquals(List.of("init a", "service a", "service a", "destroy a"), fixture.diary);
        assertThrows(UnavailableException.class, () -> call(servlet));
    }

    @Test
    void initAndDestroyAreNotCalledForAServletWithoutRequests() throws Exception {
        declare("a", new TestServlet(fixture.diary));
        context.start();
        context.stop();
        assertEquals(List.of(), fixture.diary);
    }

    @Test
    void servletsAreLoadedOnStartupInTheConfiguredOrderAfterTheFilters() throws Exception {
        declare("late", new TestServlet(fixture.diary)).loadOnStartup(5);
        declare("lazy", new TestServlet(fixture.diary));
        declare("zero", new TestServlet(fixture.diary)).loadOnStartup(0);
        declare("also five", new TestServlet(fixture.diary)).loadOnStartup(5);
        context.filters().declare("filter", new TestFilter(fixture.diary));
        context.start();
        assertEquals(List.of("init filter", "init zero", "init late", "init also five"), fixture.diary);
    }

    @Test
    void initIsCalledAgainAtTheNextRequestAfterAnExceptionOfInit() throws Exception {
        FailingServlet failing = new FailingServlet();
        failing.atInit.add(new ServletException("bad day"));
        ServletHolder servlet = declare("a", failing);
        context.start();
        assertEquals(
                "bad day",
                assertThrows(ServletException.class, () -> call(servlet)).getMessage());
        assertEquals(Life.NEW, servlet.life());
        call(servlet);
        assertEquals(List.of("init a", "service a"), fixture.diary);
    }

    @Test
    void theContextStartsAlthoughAServletFailsToLoadOnStartup() throws Exception {
        FailingServlet failing = new FailingServlet();
        failing.atInit.add(new ServletException("bad day"));
        declare("a", failing).loadOnStartup(1);
        context.start();
        assertEquals(WebContext.Life.AVAILABLE, context.life());
    }

    @Test
    void initIsNotCalledAgainAfterAPermanentUnavailableException() throws Exception {
        FailingServlet failing = new FailingServlet();
        failing.atInit.add(new UnavailableException("gone"));
        ServletHolder servlet = declare("a", failing);
        context.start();
        assertTrue(assertThrows(UnavailableException.class, () -> call(servlet)).isPermanent());
        assertTrue(assertThrows(UnavailableException.class, () -> call(servlet)).isPermanent());
        assertEquals(Life.FAILED, servlet.life());
        assertEquals(List.of(), fixture.diary);
    }

    @Test
    void aServletIsDestroyedAtOnceAfterAPermanentUnavailableException() throws Exception {
        FailingServlet failing = new FailingServlet();
        ServletHolder servlet = declare("a", failing);
        context.start();
        call(servlet);
        failing.atService.add(new UnavailableException("gone"));
        assertThrows(UnavailableException.class, () -> call(servlet));
        assertEquals(List.of("init a", "service a", "destroy a"), fixture.diary);
        assertEquals(Life.FAILED, servlet.life());
        context.stop();
        assertEquals(3, fixture.diary.size());
    }

    @Test
    void aServletIsCalledAgainWhenItsTemporaryUnavailabilityIsOver() throws Exception {
        FailingServlet failing = new FailingServlet();
        ServletHolder servlet = declare("a", failing);
        context.start();
        call(servlet);
        failing.atService.add(new UnavailableException("resting", 30));
        assertThrows(UnavailableException.class, () -> call(servlet));
        fixture.advanceClock(Duration.ofMillis(10_500));
        UnavailableException still = assertThrows(UnavailableException.class, () -> call(servlet));
        assertEquals(20, still.getUnavailableSeconds());
        assertEquals(Life.UNAVAILABLE_UNTIL, servlet.life());
        fixture.advanceClock(Duration.ofSeconds(20));
        call(servlet);
        assertEquals(List.of("init a", "service a", "service a"), fixture.diary);
    }

    @Test
    void initIsCalledAgainWhenATemporaryUnavailabilityIsOver() throws Exception {
        FailingServlet failing = new FailingServlet();
        failing.atInit.add(new UnavailableException("not yet", 30));
        ServletHolder servlet = declare("a", failing);
        context.start();
        assertThrows(UnavailableException.class, () -> call(servlet));
        assertThrows(UnavailableException.class, () -> call(servlet));
        fixture.advanceClock(Duration.ofSeconds(30));
        call(servlet);
        assertEquals(List.of("init a", "service a"), fixture.diary);
    }

    @Test
    void aServletExceptionIsThrownIfTheClassOfTheRequestedServletIsMissing() throws Exception {
        ServletHolder servlet = context.servlets().declare("a", "no.such.Servlet");
        assertNotNull(servlet);
        context.start();
        assertThrows(ServletException.class, () -> call(servlet));
    }

    @Test
    void aServletIsInitialisedOnceIfItsFirstRequestsAreConcurrent() throws Exception {
        for (int round = 0; round < 100; round++) {
            AtomicInteger inits = new AtomicInteger();
            CountDownLatch start = new CountDownLatch(1);
            WebContext fresh = new ContextFixture().context;
            ServletHolder servlet = fresh.servlets().declare("a", new TestServlet(fixture.diary) {
                private static final long serialVersionUID = 1L;

                @Override
                public void init() {
                    inits.incrementAndGet();
                }
            });
            assertNotNull(servlet);
            fresh.start();
            List<Future<Integer>> calls = IntStream.range(0, 4)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        call(servlet);
                        return inits.get();
                    }))
                    .toList();
            start.countDown();
            for (Future<Integer> each : calls) {
                assertEquals(1, each.get(60, TimeUnit.SECONDS));
            }
            fresh.stop();
        }
    }

    @Test
    void aServletIsDestroyedAfterTheEndOfItsRunningRequest() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayGo = new CountDownLatch(1);
        ServletHolder servlet = declare("a", new TestServlet(fixture.diary) {
            private static final long serialVersionUID = 1L;

            @Override
            public void service(ServletRequest request, ServletResponse response) {
                entered.countDown();
                try {
                    mayGo.await();
                } catch (InterruptedException e) {
                    fixture.diary.add("interrupted");
                }
                fixture.diary.add("served");
            }
        });
        context.start();
        Future<?> call = threads.submit(() -> {
            call(servlet);
            return null;
        });
        entered.await();
        Future<?> stop = threads.submit(context::stop);
        while (servlet.life() != Life.DESTROYED) {
            Thread.onSpinWait();
        }
        mayGo.countDown();
        call.get(60, TimeUnit.SECONDS);
        stop.get(60, TimeUnit.SECONDS);
        assertEquals(List.of("init a", "served", "destroy a"), fixture.diary);
    }
}
