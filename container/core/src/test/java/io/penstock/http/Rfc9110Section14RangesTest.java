package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http.ByteRanges.Outcome;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc9110Section14RangesTest {

    private static String partial(String field, long length) {
        ByteRanges result = ByteRanges.parse(field, length);
        assertEquals(Outcome.PARTIAL, result.outcome(), field);
        return result.ranges().stream()
                .map(range -> range.first() + "-" + range.last())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-499 | 0-499",
                "bytes=500-999 | 500-999",
                "bytes=-500 | 9500-9999",
                "bytes=9500- | 9500-9999",
                "bytes=0-0,-1 | 0-0 9999-9999",
                "Bytes=0-0 | 0-0",
                "bytes= 0-0 , ,5000-5001 | 0-0 5000-5001",
                "bytes=9999-99999999999999999999999 | 9999-9999",
                "bytes=-99999999999999999999999 | 0-9999",
                "bytes=0-0,10000-,20000-30000 | 0-0",
            })
    void aRangeCanHavePositionsOrASuffixLength(String field, String expected) {
        assertEquals(expected, partial(field, 10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10000-", "bytes=-0", "bytes=10000-10001,-0", "bytes=,"})
    void aRangeOutsideTheRepresentationIsUnsatisfiable(String field) {
        assertEquals(Outcome.UNSATISFIABLE, ByteRanges.parse(field, 10_000).outcome());
    }

    @Test
    void noRangeOfAnEmptyRepresentationIsSatisfiable() {
        assertEquals(Outcome.UNSATISFIABLE, ByteRanges.parse("bytes=0-", 0).outcome());
        assertEquals(Outcome.UNSATISFIABLE, ByteRanges.parse("bytes=-1", 0).outcome());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "lines=1-2",
                "bytes=a-b",
                "bytes=5",
                "bytes=-",
                "bytes=--5",
                "bytes=5-4",
                "bytes=1-2-3",
                "bytes=0-1,x",
                "bytes=+1-2"
            })
    void aRangeFieldIsIgnoredIfItIsMalformedOrHasAnUnknownUnit(String field) {
        assertEquals(Outcome.WHOLE, ByteRanges.parse(field, 10_000).outcome());
    }

    @Test
    void theWholeRepresentationIsSentIfTheRangeFieldIsMissing() {
        assertEquals(Outcome.WHOLE, ByteRanges.parse(null, 10).outcome());
    }

    @Test
    void overlappingAndNearlyAdjacentRangesAreMerged() {
        assertEquals("0-199", partial("bytes=0-99,100-199", 10_000));
        assertEquals("0-249", partial("bytes=0-99,150-249", 10_000));
        assertEquals("0-0 5000-5300", partial("bytes=0-0,5200-5300,5000-5210", 10_000));
        assertEquals("0-900", partial("bytes=0-100,800-900,50-850", 10_000));
        assertEquals("5000-5100 0-10", partial("bytes=5000-5050,0-10,5040-5100", 10_000));
    }

    @Test
    void aRangeFieldWithTooManyRangesIsIgnored() {
        assertEquals(
                Outcome.WHOLE,
                ByteRanges.parse("bytes=" + "0-,".repeat(40) + "0-", 10_000).outcome());
    }

    @Test
    void theContentRangeFieldContainsTheCompleteLength() {
        assertEquals("bytes 42-1233/1234", new ByteRange(42, 1233).contentRange(1234));
        assertEquals(1192, new ByteRange(42, 1233).length());
        assertEquals(
                List.of(new ByteRange(0, 0)), ByteRanges.parse("bytes=0-0", 1).ranges());
    }
}
