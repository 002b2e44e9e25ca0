package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests which stack frame the status page shows for a worker: the innermost frame of the application's code. Frames of the JDK and of the
 * server do not count.
 */
class ApplicationFrameTest {
    private static String place(String... types) {
        List<StackTraceElement> stack = Stream.of(types)
                .map(type -> new StackTraceElement(type, "go", "A.java", 1))
                .toList();
        return ApplicationFrame.of(stack);
    }

    @Test
    void theInnermostFrameOfTheApplicationIsShown() {
        assertEquals(
                "OrderDao.go",
                place("java.lang.Thread", "com.shop.OrderDao", "com.shop.OrderServlet", "io.penstock.dispatch.Chain"));
        assertEquals("Orders.Dao.go", place("com.shop.Orders$Dao"));
    }

    @Test
    void noFrameIsShownIfTheStackHasNoApplicationCode() {
        assertEquals("", place("java.lang.Thread", "io.penstock.files.FileServlet", "io.penstock.dispatch.Chain"));
        assertEquals("", place());
    }

    @Test
    void classesOfTheExamplesCountAsApplicationCode() {
        assertEquals("Work.go", place("java.lang.Thread", "io.penstock.peer.content.Work", "io.penstock.work.Worker"));
        assertEquals("Hello.go", place("io.penstock.sample.hello.Hello", "io.penstock.dispatch.Chain"));
    }
}
