package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.Filters.Position;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which filters a dispatch calls, and in which order (Servlet 6.1, 6.2.4 and 8.1.2). */
final class FilterOrderTest {
    private final ContextFixture fixture = new ContextFixture();
    private final WebContext context = fixture.context;
    private final Filters filters = context.filters();

    private FilterHolder filter(String name) {
        FilterHolder holder = filters.declare(name, new TestFilter(fixture.diary));
        assertNotNull(holder);
        return holder;
    }

    private FilterRegistration.Dynamic added(String name) {
        FilterRegistration.Dynamic registration = context.addFilter(name, new TestFilter(fixture.diary));
        assertNotNull(registration);
        return registration;
    }

    private void map(String name, String pattern, DispatcherType... types) {
        filters.mapUrlPatterns(filter(name), Set.of(types), Position.DECLARED, List.of(pattern));
    }

    private List<String> passed(DispatcherType type, @Nullable String path, @Nullable String servlet) {
        return filters.table().match(type, path, servlet).stream()
                .map(FilterHolder::name)
                .toList();
    }

    @Test
    void declaredMappingsKeepTheirOrder() {
        map("b", "/*");
        map("a", "/x/*");
        map("c", "*.do");
        assertEquals(List.of("b", "a", "c"), passed(DispatcherType.REQUEST, "/x/y.do", null));
        assertEquals(List.of("b"), passed(DispatcherType.REQUEST, "/z", null));
    }

    @Test
    void mappingsByPatternComeBeforeMappingsByServletName() {
        filters.mapServletNames(filter("named"), Set.of(), Position.BEFORE, List.of("s"));
        map("pattern", "/*");
        assertEquals(List.of("pattern", "named"), passed(DispatcherType.REQUEST, "/x", "s"));
        assertEquals(List.of("pattern"), passed(DispatcherType.REQUEST, "/x", "t"));
    }

    @Test
    void mappingsByCodeComeBeforeOrAfterTheDeclaredMappings() {
        added("after 1").addMappingForUrlPatterns(null, true, "/*");
        added("before 1").addMappingForUrlPatterns(null, false, "/*");
        map("declared", "/*");
        added("before 2").addMappingForUrlPatterns(null, false, "/*");
        added("after 2").addMappingForUrlPatterns(null, true, "/*");
        assertEquals(
                List.of("before 1", "before 2", "declared", "after 1", "after 2"),
                passed(DispatcherType.REQUEST, "/x", null));
    }

    @Test
    void aMappingWithoutDispatcherTypesIsForRequests() {
        added("f").addMappingForUrlPatterns(null, true, "/*");
        assertEquals(List.of("f"), passed(DispatcherType.REQUEST, "/x", null));
        assertEquals(List.of(), passed(DispatcherType.FORWARD, "/x", null));
    }

    @Test
    void aMappingMatchesOnlyItsDispatcherTypes() {
        added("f").addMappingForUrlPatterns(EnumSet.of(DispatcherType.ERROR, DispatcherType.ASYNC), true, "/*");
        assertEquals(List.of(), passed(DispatcherType.REQUEST, "/x", null));
        assertEquals(List.of("f"), passed(DispatcherType.ERROR, "/x", null));
        assertEquals(List.of("f"), passed(DispatcherType.ASYNC, "/x", null));
    }

    @Test
    void theServletNameStarMatchesAllServlets() {
        added("f").addMappingForServletNames(null, true, "*");
        assertEquals(List.of("f"), passed(DispatcherType.REQUEST, "/x", "any"));
        assertEquals(List.of(), passed(DispatcherType.REQUEST, "/x", null));
    }

    @Test
    void aDispatchByNameRunsOnlyFiltersMappedByServletName() {
        map("pattern", "/*", DispatcherType.FORWARD);
        filters.mapServletNames(filter("named"), Set.of(DispatcherType.FORWARD), Position.DECLARED, List.of("s"));
        assertEquals(List.of("named"), passed(DispatcherType.FORWARD, null, "s"));
    }

    @Test
    void aFilterRunsOnceIfSeveralMappingsMatch() {
        FilterHolder twice = filter("twice");
        filters.mapUrlPatterns(twice, Set.of(), Position.DECLARED, List.of("/*", "*.do"));
        filters.mapUrlPatterns(twice, Set.of(), Position.DECLARED, List.of("/x.do"));
        filters.mapServletNames(twice, Set.of(), Position.DECLARED, List.of("s"));
        assertEquals(List.of("twice"), passed(DispatcherType.REQUEST, "/x.do", "s"));
    }

    @Test
    void dispatchesThatMatchTheSameMappingsShareOneList() {
        map("a", "/*");
        map("b", "/b/*");
        FilterMappings table = filters.table();
        assertSame(table.match(DispatcherType.REQUEST, "/x", null), table.match(DispatcherType.REQUEST, "/y/z", "s"));
        assertSame(table.match(DispatcherType.REQUEST, "/b", null), table.match(DispatcherType.REQUEST, "/b/c", null));
    }

    @Test
    void moreThan64MappingsAreMatched() {
        for (int i = 0; i < 100; i++) {
            map("f" + i, i % 2 == 0 ? "/*" : "/odd/*");
        }
        assertEquals(50, passed(DispatcherType.REQUEST, "/x", null).size());
        List<String> all = passed(DispatcherType.REQUEST, "/odd", null);
        assertEquals(100, all.size());
        assertEquals("f99", all.get(99));
    }

    @Test
    void aRegistrationReturnsItsMappings() {
        FilterRegistration.Dynamic registration = added("f");
        registration.addMappingForUrlPatterns(null, true, "/a", "/b");
        registration.addMappingForServletNames(null, false, "s");
        assertEquals(List.of("/a", "/b"), List.copyOf(registration.getUrlPatternMappings()));
        assertEquals(List.of("s"), List.copyOf(registration.getServletNameMappings()));
        assertTrue(context.getFilterRegistrations().containsKey("f"));
    }
}
