package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the output of a server process. The process prints one answer for each question. A late answer must not be used for the next
 * question. A socket simulates the process.
 */
class OutputTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(20);

    private ServerSocket listening;
    private Socket process;
    private ServerProcess.Output output;

    @BeforeEach
    void start() throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        process = new Socket(listening.getInetAddress(), listening.getLocalPort());
        InputStream in = listening.accept().getInputStream();
        output = ServerProcess.Output.of(in, "test");
    }

    @AfterEach
    void end() throws IOException {
        process.close();
        listening.close();
    }

    @Test
    void aLateAnswerIsNotUsedForTheNextQuestion() throws Exception {
        assertEquals(Optional.empty(), output.answer(SHORT));
        assertEquals(Optional.empty(), output.answer(SHORT));
        print("STATS first\nSTATS second\nSTATS third\nSTATS fourth\n");
        assertEquals(Optional.of("STATS third"), output.answer(LONG));
        assertEquals(Optional.of("STATS fourth"), output.answer(LONG));
    }

    @Test
    void twoLateAnswersAreSkippedAfterTwoTimeouts() throws Exception {
        assertEquals(Optional.empty(), output.answer(SHORT));
        print("STATS first\n");
        // The first answer arrives before or after the next timeout. The process has not printed the second answer yet.
        assertEquals(Optional.empty(), output.answer(SHORT));
        print("STATS second\nSTATS third\n");
        assertEquals(Optional.of("STATS third"), output.answer(LONG));
    }

    @Test
    void noAnswerIsReturnedAfterTheEndOfTheProcess() throws Exception {
        print("READY 80 test\nno disk\nno network\n");
        assertEquals(Optional.of("READY 80 test"), output.answer(LONG));
        assertFalse(output.hasEnded());
        process.close();
        assertEquals(Optional.empty(), output.answer(LONG));
        assertEquals(Optional.empty(), output.answer(LONG));
        assertTrue(output.hasEnded());
        assertEquals("its last lines: no disk | no network", output.lastLines());
    }

    @Test
    void anOutOfMemoryErrorIsReported() throws Exception {
        print("Exception in thread \"x\" java.lang.OutOfMemoryError: Java heap space\n\tat Somewhere\n");
        process.close();
        assertEquals(Optional.empty(), output.answer(LONG));
        assertEquals(
                "it has run out of memory: Exception in thread \"x\" java.lang.OutOfMemoryError: Java heap space",
                output.lastLines());
    }

    private void print(String lines) throws IOException {
        OutputStream out = process.getOutputStream();
        out.write(lines.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
