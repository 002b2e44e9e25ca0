package io.penstock.experiments.io.packets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.measure.Samples;
import io.penstock.experiments.io.packets.PacketsExperiment.Latency;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class PacketsTest {
    @ParameterizedTest
    @EnumSource(PacketsWay.class)
    void thePeerAnswersEachMessageAndCanBeStopped(PacketsWay way) throws Exception {
        AnsweringPeer peer = AnsweringPeer.start(30);
        try (SocketChannel channel = SocketChannel.open(peer.address())) {
            way.prepare(channel);
            for (int i = 0; i < 3; i++) {
                way.write(channel, ByteBuffer.allocate(10), ByteBuffer.allocate(20));
                assertEquals(AnsweringPeer.ANSWER, readAnswer(channel));
            }
        }
        peer.stop();
    }

    @Test
    void aPeerWithoutClientsCanBeStopped() throws Exception {
        AnsweringPeer.start(30).stop();
    }

    @Test
    void delayedAcknowledgementsAreReportedAndEachMedianIsComparedWithTheGatheringWrite() {
        Map<PacketsWay, Latency> measured = new LinkedHashMap<>();
        measured.put(PacketsWay.GATHERED, new Latency(1000, 20, 40, 90, Samples.of(21)));
        measured.put(PacketsWay.TWO_WRITES, new Latency(12, 44_000, 48_000, 48_000, Samples.of(44_100)));
        var findings = PacketsFindings.of(200, 1000, measured);
        assertEquals(
                List.of("head, then body: Nagle's algorithm on", "44,000", "48,000", "48,000", "2,200×", "12"),
                findings.table().rows().get(1));
        assertTrue(
                findings.notes().get(1).contains("in most exchanges"),
                findings.notes().get(1));
        measured.put(PacketsWay.TWO_WRITES, new Latency(12, 30, 60, 60, Samples.of(31)));
        assertEquals(
                "Here no delayed acknowledgement was met.",
                PacketsFindings.of(200, 1000, measured).notes().get(1));
    }

    private static int readAnswer(SocketChannel channel) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(AnsweringPeer.ANSWER);
        while (answer.hasRemaining()) {
            if (channel.read(answer) < 0) {
                return -1;
            }
        }
        return answer.position();
    }
}
