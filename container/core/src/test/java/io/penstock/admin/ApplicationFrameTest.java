package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests the choice of the stack frame that the live page for operators (the flow board) shows for a worker. The page shows the innermost
 * frame of the application, and skips frames of the JDK and of the server.
 */
class ApplicationFrameTest {
    private static String shown(String... types) {
        List<StackTraceElement> stack = Stream.of(types)
                .map(type -> new StackTraceElement(type, "go", "A.java", 1))
                .toList();
        return ApplicationFrame.of(stack);
    }

    @Test
    void theInnermostStackFrameOfTheApplicationIsShown() {
        assertEquals(
                "OrderDao.go",
                shown("java.lang.Thread", "com.shop.OrderDao", "com.shop.OrderServlet", "io.penstock.dispatch.Chain"));
        assertEquals("Orders.Dao.go", shown("com.shop.Orders$Dao"));
    }

    @Test
    void noStackFrameIsShownIfTheStackHasNoApplicationCode() {
        assertEquals("", shown("java.lang.Thread", "io.penstock.files.FileServlet", "io.penstock.dispatch.Chain"));
        assertEquals("", shown());
    }

    @Test
    void classesOfTheSampleApplicationsAreApplicationCode() {
        assertEquals("Work.go", shown("java.lang.Thread", "io.penstock.peer.content.Work", "io.penstock.work.Worker"));
        assertEquals("Hello.go", shown("io.penstock.sample.hello.Hello", "io.penstock.dispatch.Chain"));
    }
}
