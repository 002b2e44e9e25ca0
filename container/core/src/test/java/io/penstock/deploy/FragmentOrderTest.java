package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servlet 8.2.2: the order of web fragments. The examples are those of the specification. */
class FragmentOrderTest {
    private static final String OTHERS = WebXml.Ordering.OTHERS;

    private final List<Fragment> fragments = new ArrayList<>();

    private FragmentOrderTest fragment(String name, List<String> before, List<String> after) {
        WebXmlDraft draft = new WebXmlDraft(SourceLocation.file(name + ".jar"));
        draft.about = new WebXml.About(null, false, name.isEmpty() ? null : name, null, false, false);
        draft.ordering = new WebXml.Ordering(null, before, after);
        fragments.add(new Fragment(Path.of(fragments.size() + ".jar"), draft.toWebXml()));
        return this;
    }

    private String order(List<String> absolute) throws DeploymentException {
        StringBuilder order = new StringBuilder();
        for (Fragment fragment : FragmentOrder.of(fragments, absolute)) {
            order.append(fragment.name() == null ? "-" : fragment.name());
        }
        return order.toString();
    }

    @Test
    void theFragmentsInTheFirstExampleOfTheSpecificationAreOrdered() throws Exception {
        fragment("A", List.of(), List.of(OTHERS, "C"))
                .fragment("B", List.of(OTHERS), List.of())
                .fragment("C", List.of(), List.of(OTHERS))
                .fragment("D", List.of(), List.of())
                .fragment("E", List.of(), List.of())
                .fragment("F", List.of(OTHERS, "B"), List.of());
        assertEquals("FBDECA", order(null));
    }

    @Test
    void theFragmentsInTheSecondExampleOfTheSpecificationAreOrdered() throws Exception {
        fragment("", List.of("C"), List.of(OTHERS))
                .fragment("B", List.of(OTHERS), List.of())
                .fragment("C", List.of(), List.of())
                .fragment("D", List.of(), List.of(OTHERS))
                .fragment("E", List.of(OTHERS), List.of())
                .fragment("F", List.of(), List.of());
        String order = order(null);
        assertTrue(
                List.of("BEF-CD", "BEF-DC", "EBF-CD", "EBF-DC", "EBFD-C", "BEFD-C")
                        .contains(order),
                order);
    }

    @Test
    void theFragmentsInTheThirdExampleOfTheSpecificationAreOrdered() throws Exception {
        fragment("A", List.of(), List.of("B"))
                .fragment("B", List.of(), List.of())
                .fragment("C", List.of(OTHERS), List.of())
                .fragment("D", List.of(), List.of());
        String order = order(null);
        assertTrue(List.of("CBDA", "CDBA", "CBAD").contains(order), order);
    }

    @Test
    void anAbsoluteOrderExcludesUnlistedFragments() throws Exception {
        fragment("A", List.of(), List.of())
                .fragment("B", List.of("A"), List.of())
                .fragment("", List.of(), List.of());
        assertEquals("BA", order(List.of("B", "nowhere", "A", "B")));
        assertEquals("", order(List.of()));
    }

    @Test
    void theOthersElementDeterminesThePositionOfFragmentsWithoutAName() throws Exception {
        fragment("A", List.of(), List.of()).fragment("B", List.of(), List.of()).fragment("", List.of(), List.of());
        assertEquals("B-A", order(List.of("B", OTHERS, "A")));
    }

    @Test
    void aCircularOrderIsReported() {
        fragment("A", List.of("B"), List.of()).fragment("B", List.of("A"), List.of());
        DeploymentException e = assertThrows(DeploymentException.class, () -> order(null));
        assertTrue(e.getMessage().contains("circular: [A, B]"), e.getMessage());
    }

    @Test
    void aDuplicateFragmentNameIsAnErrorOnlyInARelativeOrder() throws Exception {
        fragment("A", List.of(), List.of()).fragment("A", List.of(), List.of());
        assertThrows(DeploymentException.class, () -> order(null));
        assertEquals("AA", order(List.of("A")));
    }
}
