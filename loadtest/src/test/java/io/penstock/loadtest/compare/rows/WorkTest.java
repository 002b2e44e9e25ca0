package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkTest {
    @Test
    void everyRowHasItsWorkAndEveryWorkARow() {
        List<String> works = Work.all(Work.Size.FULL).stream().map(Work::id).toList();
        assertEquals(works, Row.ALL.stream().map(Row::work).distinct().toList());
    }

    @Test
    void aSmokeTestHasTheSameWorksWithFewConnections() {
        List<Work> small = Work.all(Work.Size.SMOKE);
        assertEquals(
                Work.all(Work.Size.FULL).stream().map(Work::id).toList(),
                small.stream().map(Work::id).toList());
        assertTrue(small.stream().allMatch(work -> work.connections() <= 50));
    }
}
