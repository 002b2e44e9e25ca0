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

/** Tests the selection and the order of the filters for a dispatch (Servlet 6.1, sections 6.2.4 and 8.1.2). */
final class FilterOrderTest {
    private final ContextFixture fixture = new ContextFixture();
    private final WebContext context = fixture.context;
    private final Filters filters = context.filters();

    private FilterHolder filter(String name) {
        FilterHolder holder = filters.declare(name, new TestFilter(fixture.diary));
        assertNotNull(holder);
        return holder;
    }

    private FilterRegistration.Dynamic registered(String name) {
        FilterRegistration.Dynamic registration = context.addFilter(name, new TestFilter(fixture.diary));
        assertNotNull(registration);
        return registration;
    }

    private void map(String name, String pattern, DispatcherType... types) {
        filters.mapUrlPatterns(filter(name), Set.of(types), Position.DECLARED, List.of(pattern));
    }

    private List<String> matchedFilters(DispatcherType type, @Nullable String path, @Nullable String servlet) {
        return filters.table().match(type, path, servlet).stream()
                .map(FilterHolder::name)
                .toList();
    }

    @Test
    void filtersHaveTheOrderOfTheDeclaredMappings() {
        map("b", "/*");
        map("a", "/x/*");
        map("c", "*.do");
        assertEquals(List.of("b", "a", "c"), matchedFilters(DispatcherType.REQUEST, "/x/y.do", null));
        assertEquals(List.of("b"), matchedFilters(DispatcherType.REQUEST, "/z", null));
    }

    @Test
    void mappingsByUrlPatternComeBeforeMappingsByServletName() {
        filters.mapServletNames(filter("named"), Set.of(), Position.BEFORE, List.of("s"));
        map("pattern", "/*");
        assertEquals(List.of("pattern", "named"), matchedFilters(DispatcherType.REQUEST, "/x", "s"));
        assertEquals(List.of("pattern"), matchedFilters(DispatcherType.REQUEST, "/x", "t"));
    }

    @Test
    void codeCanAddMappingsBeforeOrAfterTheDeclaredMappings() {
        registered("after 1").addMappingForUrlPatterns(null, true, "/*");
        registered("before 1").addMappingForUrlPatterns(null, false, "/*");
        map("declared", "/*");
        registered("before 2").addMappingForUrlPatterns(null, false, "/*");
        registered("after 2").addMappingForUrlPatterns(null, true, "/*");
        assertEquals(
                List.of("before 1", "before 2", "declared", "after 1", "after 2"),
                matchedFilters(DispatcherType.REQUEST, "/x", null));
    }

    @Test
    void aFilterMappingWithoutDispatcherTypesMatchesOnlyTheRequestType() {
        registered("f").addMappingForUrlPatterns(null, true, "/*");
        assertEquals(List.of("f"), matchedFilters(DispatcherType.REQUEST, "/x", null));
        assertEquals(List.of(), matchedFilters(DispatcherType.FORWARD, "/x", null));
    }

    @Test
    void aFilterMappingMatchesOnlyItsDispatcherTypes() {
        registered("f").addMappingForUrlPatterns(EnumSet.of(DispatcherType.ERROR, DispatcherType.ASYNC), true, "/*");
        assertEquals(List.of(), matchedFilters(DispatcherType.REQUEST, "/x", null));
        assertEquals(List.of("f"), matchedFilters(DispatcherType.ERROR, "/x", null));
        assertEquals(List.of("f"), matchedFilters(DispatcherType.ASYNC, "/x", null));
    }

    @Test
    void theServletNameStarMatchesAllServlets() {
        registered("f").addMappingForServletNames(null, true, "*");
        assertEquals(List.of("f"), matchedFilters(DispatcherType.REQUEST, "/x", "any"));
        assertEquals(List.of(), matchedFilters(DispatcherType.REQUEST, "/x", null));
    }

    @Test
    void aDispatchByNameMatchesOnlyFiltersMappedByServletName() {
        map("pattern", "/*", DispatcherType.FORWARD);
        filters.mapServletNames(filter("named"), Set.of(DispatcherType.FORWARD), Position.DECLARED, List.of("s"));
        assertEquals(List.of("named"), matchedFilters(DispatcherType.FORWARD, null, "s"));
    }

    @Test
    void aFilterRunsOnceIfSeveralMappingsMatch() {
        FilterHolder twice = filter("twice");
        filters.mapUrlPatterns(twice, Set.of(), Position.DECLARED, List.of("/*", "*.do"));
        filters.mapUrlPatterns(twice, Set.of(), Position.DECLARED, List.of("/x.do"));
        filters.mapServletNames(twice, Set.of(), Position.DECLARED, List.of("s"));
        assertEquals(List.of("twice"), matchedFilters(DispatcherType.REQUEST, "/x.do", "s"));
    }

    @Test
    void oneListOfFiltersIsUsedForAllDispatchesThatMatchTheSameMappings() {
        map("a", "/*");
        map("b", "/b/*");
        FilterMappings table = filters.table();
        assertSame(table.match(DispatcherType.REQUEST, "/x", null), table.match(DispatcherType.REQUEST, "/y/z", "s"));
        assertSame(table.match(DispatcherType.REQUEST, "/b", null), table.match(DispatcherType.REQUEST, "/b/c", null));
    }

    @Test
    void moreThan64FilterMappingsCanMatchADispatch() {
        for (int i = 0; i < 100; i++) {
            map("f" + i, i % 2 == 0 ? "/*" : "/odd/*");
        }
        assertEquals(50, matchedFilters(DispatcherType.REQUEST, "/x", null).size());
        List<String> all = matchedFilters(DispatcherType.REQUEST, "/odd", null);
        assertEquals(100, all.size());
        assertEquals("f99", all.get(99));
    }

    @Test
    void aFilterRegistrationReturnsItsMappings() {
        FilterRegistration.Dynamic registration = registered("f");
        registration.addMappingForUrlPatterns(null, true, "/a", "/b");
        registration.addMappingForServletNames(null, false, "s");
        assertEquals(List.of("/a", "/b"), List.copyOf(registration.getUrlPatternMappings()));
        assertEquals(List.of("s"), List.copyOf(registration.getServletNameMappings()));
        assertTrue(context.getFilterRegistrations().containsKey("f"));
    }
}
