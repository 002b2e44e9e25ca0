package io.penstock.experiments.io.send;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SendFindingsTest {
    @Test
    void speedFactorsAreRelativeToTheMedianOfSendingWithReadAndWrite() {
        Map<String, Samples> measured = new LinkedHashMap<>();
        measured.put("read + write, 4 KiB array", Samples.of(2500, 2572, 2600));
        measured.put("transferTo (sendfile)", Samples.of(474));
        Findings findings = SendFindings.of(2_300_047_434L, 3, measured);
        assertEquals(
                List.of(
                        List.of("read + write, 4 KiB array", "2,572", "2,500–2,600", "1.00×", "894"),
                        List.of("transferTo (sendfile)", "474", "474–474", "5.43×", "4,852")),
                findings.table().rows());
        assertEquals("One file of 2,300,047,434 bytes over loopback, 3 alternating rounds", findings.title());
    }

    @Test
    void theTableHasNoSpeedFactorIfSendingWithReadAndWriteWasNotMeasured() {
        Findings findings = SendFindings.of(1000, 1, Map.of("map + write", Samples.of(2)));
        assertEquals("-", findings.table().rows().get(0).get(3));
    }
}
