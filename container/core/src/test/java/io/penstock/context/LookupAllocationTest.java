package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.context.Filters.Position;
import io.penstock.mapping.ContextMappings;
import io.penstock.mapping.ServletMappings;
import jakarta.servlet.DispatcherType;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** Tests the memory allocation of the look-ups for a request. Repeated look-ups must not allocate memory. */
final class LookupAllocationTest {
    private static final int REPETITIONS = 10_000;

    private static void assertAllocatesNoMemory(IntSupplier lookup) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        int sum = 0;
        for (int round = 0; round < 10; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < REPETITIONS; i++) {
                sum += lookup.getAsInt();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(10 * REPETITIONS, sum);
        assertTrue(least < REPETITIONS, "bytes allocated by " + REPETITIONS + " look-ups: " + least);
    }

    @Test
    void theLookUpOfAServletAllocatesNoMemory() {
        ServletMappings<String> table = ServletMappings.<String>builder()
                .add("/hello", "hello")
                .add("/*", "all")
                .build();
        assertAllocatesNoMemory(() -> table.match("/hello") == null ? 0 : 1);
    }

    @Test
    void theLookUpOfAContextAllocatesNoMemory() {
        ContextMappings<String> table =
                ContextMappings.<String>empty().with("", "root").with("/a", "a").with("/b/c", "bc");
        assertAllocatesNoMemory(() -> table.match("/b/c/d") == null ? 0 : 1);
    }

    @Test
    void theLookUpOfFiltersAllocatesNoMemory() {
        ContextFixture fixture = new ContextFixture();
        Filters filters = fixture.context.filters();
        FilterHolder filter = filters.declare("f", new TestFilter(fixture.diary));
        assertNotNull(filter);
        filters.mapUrlPatterns(filter, Set.of(), Position.DECLARED, List.of("*.do", "/a/*"));
        filters.mapServletNames(filter, Set.of(), Position.DECLARED, List.of("s"));
        FilterMappings table = filters.table();
        assertAllocatesNoMemory(
                () -> table.match(DispatcherType.REQUEST, "/a/b", "s").size());
    }
}
