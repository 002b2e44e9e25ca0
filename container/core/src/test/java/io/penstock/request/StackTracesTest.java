package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests which frames of a stack trace developers see at once, and which are folded. */
class StackTracesTest {
    private static final String LOADER = "shop";

    private static StackTraceElement frame(String loader, String type) {
        return new StackTraceElement(loader, null, null, type, "run", "S.java", 3);
    }

    private static <T extends Throwable> T with(T thrown, String... types) {
        thrown.setStackTrace(Arrays.stream(types)
                .map(type -> frame(type.startsWith("com.shop.") ? LOADER : "app", type))
                .toArray(StackTraceElement[]::new));
        return thrown;
    }

    @Test
    void framesOfTheServerAndOfReflectionAreFoldedBetweenAndBelowThoseOfTheApplication() {
        Throwable thrown = with(
                new IllegalStateException("no <umbrella>"),
                "java.util.Objects",
                "com.shop.Till",
                "jdk.internal.reflect.NativeMethodAccessorImpl",
                "java.lang.reflect.Method",
                "com.shop.Filter",
                "java.util.ArrayList",
                "com.shop.Servlet",
                "jakarta.servlet.http.HttpServlet",
                "io.penstock.dispatch.Chain",
                "java.lang.Thread");
        StackTraces traces = StackTraces.of(thrown, LOADER);
        assertEquals("""
                java.lang.IllegalStateException: no <umbrella>
                \tat app//java.util.Objects.run(S.java:3)
                \tat com.shop.Till.run(S.java:3)
                \t... 2 frames of the server
                \tat com.shop.Filter.run(S.java:3)
                \tat app//java.util.ArrayList.run(S.java:3)
                \tat com.shop.Servlet.run(S.java:3)
                \t... 3 frames of the server
                """, traces.text());
        assertTrue(traces.html().contains("<pre>java.lang.IllegalStateException: no &lt;umbrella&gt;</pre>"));
        assertTrue(traces.html().contains("""
                <details><summary>2 frames of the server</summary><pre class="jdk">\
                \tat app//jdk.internal.reflect.NativeMethodAccessorImpl.run(S.java:3)
                \tat app//java.lang.reflect.Method.run(S.java:3)</pre></details>
                """), traces.html());
        assertTrue(traces.html().contains("<pre class=\"jdk\">\tat app//java.util.ArrayList.run(S.java:3)</pre>"));
    }

    @Test
    void theFrameThatThrewTheExceptionIsShownAlsoIfItBelongsToTheServer() {
        Throwable thrown = with(
                new IllegalStateException("committed"),
                "io.penstock.request.HttpResponse",
                "io.penstock.request.ResponseState",
                "com.shop.Till");
        assertEquals("""
                java.lang.IllegalStateException: committed
                \tat app//io.penstock.request.HttpResponse.run(S.java:3)
                \t... 1 frame of the server
                \tat com.shop.Till.run(S.java:3)
                """, StackTraces.of(thrown, LOADER).text());
    }

    @Test
    void aTraceWithoutFramesOfTheApplicationIsComplete() {
        Throwable thrown = with(new IllegalStateException(), "io.penstock.deploy.Deployer", "java.lang.Thread");
        assertEquals("""
                java.lang.IllegalStateException
                \tat app//io.penstock.deploy.Deployer.run(S.java:3)
                \tat app//java.lang.Thread.run(S.java:3)
                """, StackTraces.of(thrown, LOADER).text());
        StackTraceElement[] frames = thrown.getStackTrace();
        assertArrayEquals(frames, StackTraces.withoutServer(frames, LOADER));
    }

    @Test
    void framesOfTheServerAreFoldedAlsoIfTheApplicationHasTheNameOfTheServersClassLoader() {
        Throwable thrown = with(new IllegalStateException(), "org.shop.Till", "io.penstock.A", "io.penstock.B");
        assertEquals("""
                java.lang.IllegalStateException
                \tat org.shop.Till.run(S.java:3)
                \t... 2 frames of the server
                """, StackTraces.of(thrown, "app").text());
    }

    @Test
    void causesShowOnlyTheFramesThatTheyDoNotShareAndACycleEnds() {
        Exception cause = with(new IllegalArgumentException("cause"), "com.shop.Dao", "com.shop.Till", "io.penstock.A");
        Exception thrown =
                with(new IllegalStateException("outer", cause), "com.shop.Desk", "com.shop.Till", "io.penstock.A");
        cause.addSuppressed(thrown);
        String text = StackTraces.of(thrown, LOADER).text();
        assertEquals("""
                java.lang.IllegalStateException: outer
                \tat com.shop.Desk.run(S.java:3)
                \tat com.shop.Till.run(S.java:3)
                \t... 1 frame of the server
                Caused by: java.lang.IllegalArgumentException: cause
                \tat com.shop.Dao.run(S.java:3)
                \t... 2 more
                \tSuppressed: [the same again: java.lang.IllegalStateException: outer]
                """, text);
    }

    @Test
    void aLogKeepsTheFramesOfTheApplication() {
        StackTraceElement[] frames = with(
                        new IllegalStateException(),
                        "com.shop.Till",
                        "jakarta.servlet.http.HttpServlet",
                        "com.shop.Filter")
                .getStackTrace();
        StackTraceElement[] shown = StackTraces.withoutServer(frames, LOADER);
        assertEquals(2, shown.length);
        assertSame(frames[2], shown[1]);
    }
}
