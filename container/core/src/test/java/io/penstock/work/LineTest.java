package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests a {@link Line}: a list of waiting jobs in the order of their arrival. */
final class LineTest {

    private record Numbered(long number) implements Job {
        @Override
        public void run() {}

        @Override
        public void abandon() {}
    }

    private final Line line = new Line();
    private final Line other = new Line();

    private static Numbered add(Line to, long now) {
        Numbered job = new Numbered(now);
        to.add(job, now);
        return job;
    }

    private static List<Long> drain(Line from) {
        List<Long> numbers = new ArrayList<>();
        for (Job job = from.poll(); job != null; job = from.poll()) {
            numbers.add(((Numbered) job).number());
        }
        assertTrue(from.isEmpty());
        assertEquals(0, from.size);
        return numbers;
    }

    @Test
    void movedJobsAreInsertedInTheOrderOfTheirArrival() {
        for (long now : List.of(1L, 3L, 5L, 7L, 9L)) {
            add(line, now);
        }
        for (long now : List.of(2L, 4L, 8L)) {
            add(other, now);
        }
        line.moveTo(other, job -> ((Numbered) job).number() != 5);
        add(other, 10);
        add(line, 11);
        assertEquals(List.of(1L, 2L, 3L, 4L, 7L, 8L, 9L, 10L), drain(other));
        assertEquals(List.of(5L, 11L), drain(line));
    }

    /** The clock can begin at any value and overflow. So times must be compared by their difference. */
    @Test
    void theOrderOfTheJobsIsCorrectWhenTheClockOverflows() {
        add(line, Long.MAX_VALUE);
        add(line, Long.MIN_VALUE + 1);
        add(other, Long.MIN_VALUE);
        assertTrue(line.isOlderThan(other));
        assertFalse(other.isOlderThan(line));
        line.moveTo(other, job -> true);
        assertEquals(List.of(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1), drain(other));
        assertEquals(List.of(), drain(line));
    }

    @Test
    void theOldestJobsAreRemovedByCutTo() {
        for (long now = 1; now <= 5; now++) {
            add(line, now);
        }
        assertEquals(0, line.cutTo(5, other));
        assertEquals(3, line.cutTo(2, other));
        assertEquals(1, line.cutTo(1, other));
        assertEquals(List.of(1L, 2L, 3L, 4L), drain(other));
        assertEquals(List.of(5L), drain(line));
    }

    /** Performs many random operations on two lines, and compares the lines with two sorted lists of the same jobs. */
    @Test
    void aLineBehavesLikeASortedList() {
        Random random = new Random(11);
        List<Numbered> expected = new ArrayList<>();
        List<Numbered> expectedOther = new ArrayList<>();
        for (int now = 0; now < 20_000; now++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> expected.add(add(line, now));
                case 3 -> expectedOther.add(add(other, now));
                case 4 -> assertSame(expected.isEmpty() ? null : expected.remove(0), line.poll());
                case 5 -> assertSame(expectedOther.isEmpty() ? null : expectedOther.remove(0), other.poll());
                case 6 -> {
                    if (!expected.isEmpty()) {
                        Numbered any = expected.remove(random.nextInt(expected.size()));
                        assertTrue(line.remove(any));
                        assertFalse(line.remove(any));
                    }
                }
                default -> {
                    int rest = random.nextInt(3);
                    line.moveTo(other, job -> ((Numbered) job).number() % 3 == rest);
                    expected.stream().filter(job -> job.number() % 3 == rest).forEach(expectedOther::add);
                    expected.removeIf(job -> job.number() % 3 == rest);
                    expectedOther.sort(Comparator.comparing(Numbered::number));
                }
            }
            assertEquals(expected.size(), line.size);
            assertEquals(expectedOther.size(), other.size);
        }
        assertEquals(expected.stream().map(Numbered::number).toList(), drain(line));
        assertEquals(expectedOther.stream().map(Numbered::number).toList(), drain(other));
        assertNull(line.poll());
    }
}
