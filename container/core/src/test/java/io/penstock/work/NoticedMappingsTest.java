package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.metrics.MappingFigures;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which mappings monitors see by name, and that their number is bounded. */
class NoticedMappingsTest {
    private final NoticedMappings noticed = new NoticedMappings();

    private static Mapping mapping(String name, int running, int waiting) {
        Mapping mapping = new Mapping(name);
        for (int i = 0; i < running; i++) {
            mapping.runs(1);
        }
        mapping.waits(waiting);
        return mapping;
    }

    /** The rows as text: name, running, waiting, refused. */
    private static List<String> shown(List<MappingFigures> figures) {
        return figures.stream()
                .map(one -> one.name() + " " + one.running().getAsLong() + " "
                        + one.queued().getAsLong() + " " + one.refused().getAsLong())
                .toList();
    }

    @Test
    void aMappingIsNoticedIfItHoldsManyWorkersOrItsRequestsWaitOrAreRefused() {
        Mapping refused = mapping("/refused", 0, 0);
        noticed.refused(refused);
        noticed.refused(refused);
        List<Mapping> present = List.of(
                mapping("/many", 16, 0), mapping("/waits", 1, 3), mapping("/quick", 15, 0), mapping("/idle", 1, 0));
        assertEquals(
                List.of("/refused 0 0 2", "/many 16 0 0", "/waits 1 3 0", "other 16 0 0"),
                shown(noticed.figures(present)));
    }

    @Test
    void theFiguresStayCurrent() {
        Mapping slow = mapping("/slow", 1, 1);
        List<MappingFigures> figures = noticed.figures(List.of(slow));
        slow.runs(1);
        slow.waits(-1);
        noticed.refused(slow);
        assertEquals(List.of("/slow 2 0 1", "other 0 0 0"), shown(figures));
    }

    /** Micrometer keeps the first gauges, and has the server pass all figures again before it reads them. */
    @Test
    void theFiguresOfTheOthersFollowEachCall() {
        List<MappingFigures> first = noticed.figures(List.of());
        noticed.figures(List.of(mapping("/quick", 3, 0)));
        assertEquals(List.of("other 3 0 0"), shown(first));
        noticed.figures(List.of());
        assertEquals(List.of("other 0 0 0"), shown(first));
    }

    @Test
    void aMappingOfTheSameNameAfterADeploymentHasTheSameRow() {
        noticed.refused(mapping("/shop orders", 0, 0));
        Mapping later = mapping("/shop orders", 17, 4);
        noticed.refused(later);
        assertEquals(List.of("/shop orders 17 4 2", "other 0 0 0"), shown(noticed.figures(List.of(later))));
    }

    @Test
    void moreMappingsThanRowsAreCountedAsOne() {
        List<Mapping> present = new ArrayList<>();
        for (int i = 0; i < NoticedMappings.MAX + 2; i++) {
            present.add(mapping("/slow" + i, 20, 1));
        }
        present.forEach(noticed::refused);
        List<String> rows = shown(noticed.figures(present));
        assertEquals(NoticedMappings.MAX + 1, rows.size());
        assertEquals("other 40 2 2", rows.get(NoticedMappings.MAX));
    }

    @Test
    void aMappingThatRestsGivesUpItsRowAndItsRefusalsAreKept() {
        for (int i = 0; i < NoticedMappings.MAX; i++) {
            noticed.refused(mapping("/former" + i, 0, 0));
        }
        Mapping slow = mapping("/slow", 20, 1);
        List<String> rows = shown(noticed.figures(List.of(slow)));
        assertEquals(NoticedMappings.MAX + 1, rows.size());
        assertEquals("/slow 20 1 0", rows.get(NoticedMappings.MAX - 1));
        assertEquals("other 0 0 1", rows.get(NoticedMappings.MAX));
    }

    /** Names can contain segments of a path that a client has sent. They appear in lines of the log and as labels. */
    @Test
    void theNameOfAMappingHasNoControlCharactersAndIsCut() {
        assertEquals("/ dispatcher /a??WARN", new Mapping("/ dispatcher /a\r\nWARN").name());
        assertEquals(203, new Mapping("/" + "x".repeat(10_000)).name().length());
    }
}
