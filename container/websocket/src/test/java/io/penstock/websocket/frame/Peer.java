package io.penstock.websocket.frame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * A connection whose transport and listener are this object. Bytes, events, jobs and timers are recorded, and nothing happens by itself. The
 * transport takes as many bytes as {@link #room} and {@link #disk} say.
 */
final class Peer implements Transport, FrameListener {
    final FrameConnection connection;
    final List<String> events = new ArrayList<>();
    final List<String> transportEvents = new ArrayList<>();
    final Queue<Runnable> jobs = new ArrayDeque<>();
    final List<Runnable> timers = new ArrayList<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final List<Runnable> awaitsRoom = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private int disk;
    private boolean broken;
    private boolean breaking;
    private boolean failing;

    /** Completed when a thread waits for room. */
    final CompletableFuture<Void> awaited = new CompletableFuture<>();

    private final Consumer<ByteBuffer> keeps;

    Peer(FrameConnection.Side side, DeflateParameters deflate) {
        this(side, deflate, bytes -> {});
    }

    /** @param keeps gets the buffers of binary messages */
    Peer(FrameConnection.Side side, DeflateParameters deflate, Consumer<ByteBuffer> keeps) {
        this.keeps = keeps;
        connection = new FrameConnection(side, this, deflate);
        connection.listen(this);
    }

    static Peer server() {
        return new Peer(FrameConnection.Side.SERVER, null);
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /** A frame of a client with a payload of at most 125 bytes. */
    static byte[] masked(int first, byte[] payload) {
        return toArray(EncodedMessage.Frame.masked(first, ByteBuffer.wrap(payload), 0x37fa213d));
    }

    static byte[] toArray(EncodedMessage.Frame frame) {
        byte[] all = new byte[frame.size()];
        int head = frame.head().remaining();
        frame.head().duplicate().get(all, 0, head);
        frame.payload().duplicate().get(all, head, all.length - head);
        return all;
    }

    static byte[] text(String text) {
        return masked(0x81, text.getBytes(StandardCharsets.UTF_8));
    }

    void receive(byte[] bytes) {
        connection.received(ByteBuffer.wrap(bytes.clone()));
    }

    void receive(String hex) {
        receive(bytes(hex));
    }

    synchronized byte[] sent() {
        return sent.toByteArray();
    }

    String sentHex() {
        return HexFormat.ofDelimiter(" ").formatHex(sent());
    }

    synchronized void forgetSent() {
        sent.reset();
    }

    /** Lets the transport take this many further bytes, and tells those who wait for room. */
    void room(int bytes) {
        List<Runnable> told;
        synchronized (this) {
            room = bytes;
            notifyAll();
            told = List.copyOf(awaitsRoom);
            awaitsRoom.clear();
        }
        jobs.addAll(told);
    }

    /** Lets the disk take this many further bytes. */
    synchronized void disk(int bytes) {
        disk = bytes;
    }

    synchronized void breakDown() {
        broken = true;
    }

    /** The next write fails with an error, as without memory. */
    synchronized void failWithError() {
        failing = true;
    }

    /** The next write takes its bytes, then fails. */
    synchronized void breakWithin() {
        breaking = true;
    }

    void runJobs() {
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
    }

    void runTimers() {
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
    }

    // ---- transport

    @Override
    public synchronized void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) throws IOException {
        if (failing) {
            failing = false;
            throw new InternalError("as the test wants");
        }
        if (broken) {
            throw new IOException("broken");
        }
        take(head, mayWait);
        if (!head.hasRemaining()) {
            take(payload, mayWait);
        }
        if (breaking) {
            throw new IOException("broken");
        }
    }

    private void take(ByteBuffer from, boolean mayWait) {
        int count = Math.min(from.remaining(), room);
        room -= count;
        take(from, count);
        if (mayWait) {
            int onDisk = Math.min(from.remaining(), disk);
            disk -= onDisk;
            take(from, onDisk);
        }
    }

    private void take(ByteBuffer from, int count) {
        byte[] taken = new byte[count];
        from.get(taken);
        sent.writeBytes(taken);
    }

    @Override
    public synchronized boolean awaitRoom(long nanos) throws IOException {
        awaited.complete(null);
        long began = System.nanoTime();
        while (room == 0 && System.nanoTime() - began < nanos) {
            try {
                wait(1);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        return room > 0;
    }

    @Override
    public synchronized void whenRoom(Runnable action) {
        awaitsRoom.add(action);
    }

    @Override
    public void work(Runnable action) {
        jobs.add(action);
    }

    @Override
    public void execute(Runnable job) {
        jobs.add(job);
    }

    @Override
    public Future<?> after(long millis, Runnable action) {
        timers.add(action);
        CompletableFuture<Void> future = new CompletableFuture<>();
        future.whenComplete((none, cancelled) -> timers.remove(action));
        return future;
    }

    @Override
    public void close() {
        transportEvents.add("close");
    }

    @Override
    public void abort(Throwable cause) {
        transportEvents.add("abort " + cause.getMessage());
    }

    // ---- listener

    @Override
    public void onText(String text, boolean last) {
        events.add((last ? "text " : "part ") + text);
    }

    @Override
    public void onBinary(ByteBuffer bytes, boolean last) {
        keeps.accept(bytes.duplicate());
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        events.add((last ? "binary " : "bytes ") + HexFormat.of().formatHex(copy));
    }

    @Override
    public void onPong(ByteBuffer payload) {
        events.add("pong " + StandardCharsets.UTF_8.decode(payload));
    }

    @Override
    public void onError(Throwable violation) {
        events.add("error " + violation.getMessage());
    }

    @Override
    public void onClose(int code, String reason) {
        events.add("close " + code + (reason.isEmpty() ? "" : " " + reason));
    }

    @Override
    public void onEnd() {
        events.add("end");
    }
}
