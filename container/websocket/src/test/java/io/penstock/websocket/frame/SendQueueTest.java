package io.penstock.websocket.frame;

import static io.penstock.websocket.frame.Peer.bytes;
import static io.penstock.websocket.frame.Peer.masked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.websocket.frame.FrameConnection.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the queue of frames of a client that does not read. */
class SendQueueTest {
    private final Peer peer = Peer.server();
    private final List<String> results = new ArrayList<>();

    private void send(String text) {
        send(text, 0);
    }

    private void send(String text, long timeout) {
        String name = text.length() > 3 ? text.substring(0, 1) : text;
        peer.connection.send(
                EncodedMessage.text(text),
                timeout,
                failure -> results.add(name + (failure == null ? "" : ": " + failure.getMessage())));
    }

    @Test
    void aMessageThatTheTransportTakesIsDoneWithinTheCall() {
        send("a");
        assertEquals(List.of("a"), results);
        assertTrue(peer.jobs.isEmpty());
        assertEquals(0, peer.connection.queuedBytes());
    }

    @Test
    void messagesWaitInOrderWhenTheTransportTakesNoMoreAndLeaveWhenItHasRoom() {
        peer.room(4);
        send("a");
        send("b");
        send("c");
        peer.runJobs();
        assertEquals(List.of("a"), results);
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals(List.of("a", "b", "c"), results);
        assertEquals("81 01 61 81 01 62 81 01 63", peer.sentHex());
    }

    /** A job may wait for the disk; the sender does not. */
    @Test
    void aJobPassesMessagesToTheDisk() {
        peer.room(0);
        peer.disk(Integer.MAX_VALUE);
        send("a");
        assertEquals(List.of(), results);
        peer.runJobs();
        assertEquals(List.of("a"), results);
    }

    @Test
    void beyondTheMemoryOfTheQueueTheSenderItselfPassesMessagesToTheDisk() {
        peer.room(0);
        peer.disk(Integer.MAX_VALUE);
        String large = "l".repeat(FrameWriter.MAX_QUEUED);
        send("a");
        send(large);
        assertEquals(List.of("a", "l"), results);
    }

    @Test
    void aSendFailsAtOnceWhenMemoryAndDiskAreFull() {
        peer.room(0);
        String large = "l".repeat(FrameWriter.MAX_QUEUED);
        send(large);
        send("b");
        assertEquals(List.of("b: The peer does not read, and its queue of messages is full"), results);
        assertEquals(large.length() + 10, peer.connection.queuedBytes());
        peer.connection.ended();
        assertEquals("l: The connection has ended", results.get(1));
    }

    /** A frame of three bytes needs some hundred bytes of objects. */
    @Test
    void theObjectsOfSmallMessagesCountForTheQueue() {
        peer.room(0);
        int sent = 0;
        for (; results.isEmpty(); sent++) {
            send("a");
            peer.runJobs();
        }
        assertEquals(List.of("a: The peer does not read, and its queue of messages is full"), results);
        assertTrue(sent <= FrameWriter.MAX_QUEUED / 256, peer.connection.queuedBytes() + " bytes");
    }

    @Test
    void aMessageOfWhichNothingWasSentFailsAloneAfterItsTimeout() {
        peer.room(0);
        send("a", 50);
        send("b");
        peer.runTimers();
        peer.runJobs();
        assertEquals(List.of("a: The message was not sent in 50 ms"), results);
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals("81 01 62", peer.sentHex());
        assertTrue(peer.transportEvents.isEmpty());
    }

    @Test
    void aMessageOfWhichAPartWasSentEndsTheConnectionAfterItsTimeout() {
        peer.room(1);
        send("a", 50);
        send("b");
        peer.runTimers();
        peer.runJobs();
        assertEquals("a: The message was not sent in 50 ms", results.get(0));
        assertEquals("b: The message was not sent in 50 ms", results.get(1));
        assertEquals(List.of("abort The message was not sent in 50 ms"), peer.transportEvents);
        send("c");
        assertEquals("c: The message was not sent in 50 ms", results.get(2));
    }

    @Test
    void aTimerIsRemovedWhenItsMessageHasBeenSent() {
        peer.room(0);
        send("a", 50);
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals(List.of("a"), results);
        assertTrue(peer.timers.isEmpty());
    }

    @Test
    void aSenderThatWaitsStopsAfterItsTimeout() {
        peer.room(0);
        IOException e =
                assertThrows(IOException.class, () -> peer.connection.sendAndWait(EncodedMessage.text("a"), 20));
        assertEquals("The message was not sent in 20 ms", e.getMessage());
        assertEquals(0, peer.connection.queuedBytes());
    }

    @Test
    void aSenderThatWaitsGoesOnWhenThereIsRoom() throws Exception {
        peer.room(0);
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendAndWait("a"));
        peer.room(Integer.MAX_VALUE);
        sent.get(60, TimeUnit.SECONDS);
        assertEquals("81 01 61", peer.sentHex());
    }

    @Test
    void aBrokenTransportFailsAllMessagesAtOnce() {
        peer.room(0);
        send("a");
        peer.breakDown();
        peer.runJobs();
        send("b");
        assertEquals(List.of("a: broken", "b: broken"), results);
        assertThrows(IOException.class, () -> peer.connection.sendAndWait(EncodedMessage.text("c"), 0));
        assertEquals(List.of("close"), peer.transportEvents);
    }

    /** As a socket whose client has reset the connection: its buffer takes the bytes, and the flush fails. */
    @Test
    void messagesFailThatABrokenTransportHasTaken() {
        peer.breakWithin();
        send("a");
        assertEquals(List.of("a: broken"), results);
    }

    @Test
    void aSenderThatWaitsLearnsThatTheTransportBrokeWithItsMessage() {
        peer.breakWithin();
        assertThrows(IOException.class, () -> peer.connection.sendAndWait(EncodedMessage.text("a"), 0));
    }

    /** The sender would be the drainer for ever, and all others would wait for it. */
    @Test
    void aWriteThatFailsWithAnErrorEndsTheConnection() {
        peer.failWithError();
        send("a");
        assertEquals(List.of("a: java.lang.InternalError: as the test wants"), results);
        assertEquals(List.of("close"), peer.transportEvents);
        assertThrows(IOException.class, () -> peer.connection.sendAndWait(EncodedMessage.text("b"), 0));
    }

    @Test
    void allMessagesOfABrokenWriteFail() {
        peer.room(0);
        send("a");
        send("b");
        peer.breakWithin();
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals(List.of("a: broken", "b: broken"), results);
    }

    /** The peer would take the other parts for the whole message. */
    @Test
    void aPartThatIsNotSentInItsTimeEndsTheConnection() {
        peer.room(0);
        assertThrows(IOException.class, () -> peer.connection.sendAndWait(EncodedMessage.textPart("a", false), 20));
        assertEquals(List.of("abort The message was not sent in 20 ms"), peer.transportEvents);
    }

    @Test
    void whileASenderWaitsForTheClientOtherSendersDoNotWaitAndTheQueueIsBounded() throws Exception {
        peer.room(0);
        send("a"); // asks for a job
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> sendAndWait("b"));
        peer.awaited.get(60, TimeUnit.SECONDS);
        peer.runJobs(); // leaves the queue to the sender
        send("l".repeat(FrameWriter.MAX_QUEUED));
        send("c");
        assertEquals(List.of("c: The peer does not read, and its queue of messages is full"), results);
        peer.room(Integer.MAX_VALUE);
        waiting.get(60, TimeUnit.SECONDS);
        assertTrue(peer.sentHex().startsWith("81 01 61 81 01 62 81 7f"), "in order");
    }

    @Test
    void theMessageOfAnInterruptedSenderDoesNotLeaveLater() throws Exception {
        peer.room(0);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> sendAndWait("a"));
        peer.awaited.get(60, TimeUnit.SECONDS);
        Thread.currentThread().interrupt();
        IOException e = assertThrows(IOException.class, () -> peer.connection.sendAndWait(EncodedMessage.text("b"), 0));
        assertTrue(Thread.interrupted());
        assertEquals("Interrupted while waiting for another sender", e.getMessage());
        peer.room(Integer.MAX_VALUE);
        waiting.get(60, TimeUnit.SECONDS);
        assertEquals("81 01 61", peer.sentHex());
    }

    private void sendAndWait(String text) {
        try {
            peer.connection.sendAndWait(EncodedMessage.text(text), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theCloseFrameFollowsAllMessagesAndLaterMessagesFail() {
        peer.room(0);
        send("a");
        peer.connection.close(1000, "");
        send("b");
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals("81 01 61 88 02 03 e8", peer.sentHex());
        assertEquals(List.of("b: The WebSocket connection is closed", "a"), results);
    }

    @Test
    void theConnectionEndsOnlyWhenTheTransportHasTakenTheCloseFrame() {
        peer.room(0);
        peer.receive(masked(0x88, bytes("03e8")));
        assertEquals(List.of("close 1000"), peer.events);
        assertTrue(peer.transportEvents.isEmpty());
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals(List.of("close"), peer.transportEvents);
    }

    @Test
    void thePongsForAPeerThatDoesNotReadAreOne() {
        peer.room(0);
        for (int i = 0; i < 1000; i++) {
            peer.receive(masked(0x89, new byte[] {(byte) i}));
            peer.runJobs();
        }
        assertEquals(3, peer.connection.queuedBytes());
        peer.room(Integer.MAX_VALUE);
        peer.runJobs();
        assertEquals("8a 01 e7", peer.sentHex());
    }

    @Test
    void batchedMessagesWaitForTheFlushAndAreOneWrite() throws Exception {
        peer.connection.batching(true);
        send("a");
        assertEquals(List.of("a"), results, "a message in the batch counts as sent");
        peer.connection.sendAndWait(EncodedMessage.text("b"), 0);
        assertEquals("", peer.sentHex());
        peer.connection.flush();
        assertEquals("81 01 61 81 01 62", peer.sentHex());
        assertEquals(List.of("a"), results);
    }

    @Test
    void aResultCanSend() {
        peer.connection.send(EncodedMessage.text("a"), 0, failure -> send("b"));
        assertEquals("81 01 61 81 01 62", peer.sentHex());
        assertEquals(List.of("b"), results);
    }

    @Test
    void aMessageBetweenThePartsOfAnotherIsRefused() throws Exception {
        peer.connection.sendAndWait(EncodedMessage.textPart("a", false), 0);
        assertThrows(IllegalStateException.class, () -> send("b"));
        assertThrows(
                IllegalStateException.class,
                () -> peer.connection.sendAndWait(EncodedMessage.binaryPart(ByteBuffer.allocate(1), true), 0));
        peer.connection.sendAndWait(EncodedMessage.textPart("c", true), 0);
        send("d");
        assertEquals("01 01 61 80 01 63 81 01 64", peer.sentHex());
    }

    @Test
    void anIdleConnectionIsClosedWith1000AndReportedAs1006() {
        peer.connection.idleTimeout(1);
        while (peer.events.isEmpty()) {
            peer.runTimers();
            peer.runJobs();
        }
        assertTrue(peer.events.get(0).startsWith("close 1006"), peer.events.toString());
        assertTrue(peer.sentHex().startsWith("88 24 03 e8"), peer.sentHex());
    }

    @Test
    void aChangeOfTheIdleTimeoutLeavesOneCheck() {
        peer.connection.idleTimeout(1);
        peer.runTimers(); // the check waits for its turn
        peer.connection.idleTimeout(60_000);
        peer.runJobs();
        assertEquals(1, peer.timers.size());
    }

    /**
     * Threads send at the same time, in both ways, while the transport takes few bytes at a time. All messages must arrive whole, and those of
     * one thread in their order.
     */
    @Test
    void messagesOfSeveralThreadsArriveWholeAndInTheOrderOfEachThread() throws Exception {
        int threads = 4;
        int messages = 500;
        Peer receiver = new Peer(Side.CLIENT, null);
        RandomRoom transport = new RandomRoom();
        FrameConnection connection = new FrameConnection(Side.SERVER, transport, null);
        connection.listen(new Peer(Side.SERVER, null));
        transport.connection = connection;
        List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            senders.add(CompletableFuture.runAsync(() -> sendAll(connection, thread, messages)));
        }
        for (CompletableFuture<Void> sender : senders) {
            sender.get(60, TimeUnit.SECONDS);
        }
        transport.awaitQuiet();
        receiver.receive(transport.sent());
        assertEquals(threads * messages, receiver.events.size());
        for (int t = 0; t < threads; t++) {
            String prefix = "text " + t + ":";
            List<String> ofThread = receiver.events.stream()
                    .filter(event -> event.startsWith(prefix))
                    .toList();
            for (int i = 0; i < messages; i++) {
                assertEquals(prefix + i + ":" + "x".repeat(i % 50), ofThread.get(i));
            }
        }
    }

    private static void sendAll(FrameConnection connection, int thread, int messages) {
        for (int i = 0; i < messages; i++) {
            EncodedMessage message = EncodedMessage.text(thread + ":" + i + ":" + "x".repeat(i % 50));
            try {
                if (i % 3 == thread % 3) {
                    connection.sendAndWait(message, 0);
                } else {
                    connection.send(message, 0, SendResult.IGNORED);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
