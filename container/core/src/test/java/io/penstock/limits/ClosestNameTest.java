package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClosestNameTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            worker            | workers
            wrokers           | workers
            prot              | port
            bodyLimit         | body-limit
            body_limit        | body-limit
            BODY.LIMIT        | body-limit
            body-limits       | body-limit
            keep-alive        | keep-alive-timeout
            keepalive-timeuot | keep-alive-timeout
            acess-log         | access-log
            """)
    void aMistypedNameHasAClosestKey(String given, String closest) {
        assertEquals(closest, ClosestName.to(given, Key.ids()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "log", "no-such-key", "threads-of-the-server", "max-http-header-size"})
    void anUnrelatedNameHasNoClosestKey(String given) {
        assertNull(ClosestName.to(given, Key.ids()));
    }

    @ParameterizedTest
    @CsvSource({"ab, ab", "ac, ab", "bc, "})
    void theFirstOfEquallyCloseNamesIsTaken(String given, String closest) {
        assertEquals(closest, ClosestName.to(given, Stream.of("ab", "ad")));
    }
}
