package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.events.Notes;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.AccessLogging.Rotate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the conditions of {@code access-log-if} and {@code access-log-unless}. */
class LineFilterTest {
    private static final List<String> NONE = List.of();

    private static LineFilter filter(List<String> only, List<String> unless) {
        return LineFilter.of(new AccessLogging(
                AccessLogging.Where.STANDARD_OUTPUT, null, "common", 1, 0, Rotate.NEVER, 0, only, unless, "node1"));
    }

    private static boolean accepts(List<String> only, List<String> unless, Ended ended) {
        return filter(only, unless).accepts(ended.summary(), ended, new LineBuffer(16));
    }

    @ParameterizedTest
    @CsvSource({
        "x-attribute(audit), true",
        "x-attribute(other), false",
        "x-attribute(audit)=y*, true",
        "x-attribute(audit)=y, false",
        "sc-status=4*, true",
        "sc-status=404, true",
        "sc-status=40, false",
        "sc-status=*4, true",
        "sc-status=4*0*4, true",
        "cs-uri-stem=/health, false",
        "cs-uri-stem=/a/*, true",
        "cs(user-agent)=ELB*, false",
        "cs(User-Agent)=Browser/1%20*, true",
        "cs(X-None), false",
        "sc(Location), false",
        "x-session-id, false",
        "x-node=node1, true",
        "cs-uri-query=.*, false",
    })
    void aConditionComparesTheWordOfAField(String condition, boolean holds) {
        Ended ended = Ended.get("/a/b?c=d")
                .field("User-Agent", "Browser/1 (x)")
                .attribute("audit", "yes")
                .refused(404, "admission");
        assertEquals(holds, accepts(List.of(condition), NONE, ended));
        assertEquals(!holds, accepts(NONE, List.of(condition), ended));
    }

    @Test
    void oneConditionOfAListIsEnough() {
        Ended ended = Ended.get("/health");
        assertEquals(true, accepts(NONE, NONE, ended));
        assertEquals(true, accepts(List.of("sc-status=5*", "cs-uri-stem=/h*"), NONE, ended));
        assertEquals(false, accepts(NONE, List.of("sc-status=5*", "cs-uri-stem=/h*"), ended));
        assertEquals(false, accepts(List.of("cs-uri-stem=/health"), List.of("sc-status=200"), ended));
    }

    @Test
    void theConditionsSayWhatTheServerMustNote() {
        assertEquals(Notes.Wanted.NOTHING, filter(List.of("sc-status=5*"), NONE).wanted());
        assertEquals(
                new Notes.Wanted(List.of("Location"), List.of("quiet"), false),
                filter(List.of("sc(Location)"), List.of("x-attribute(quiet)=1")).wanted());
    }

    @Test
    void anUnknownFieldIsRefusedWithTheKey() {
        assertEquals(
                "access-log-unless: 'status' is not a field",
                assertThrows(IllegalArgumentException.class, () -> filter(NONE, List.of("status=5*")))
                        .getMessage()
                        .split(";")[0]);
        assertThrows(IllegalArgumentException.class, () -> filter(List.of("=5*"), NONE));
    }
}
