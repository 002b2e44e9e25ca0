package io.penstock.footprint;

import com.sun.management.ThreadMXBean;
import io.penstock.footprint.server.HelloServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/**
 * A program that prints how many bytes of the heap the server's threads allocate for a GET request. With the option {@code -Xint}, the
 * result includes all objects that the source code creates. Without this option, the JIT compiler removes some of these objects.
 */
public final class AllocatedBytes {
    /** After this number of requests, the server has created all objects that are created only once. */
    private static final int WARM_UP = 100;

    /**
     * The number of batches. The result is the median of all batches. So it does not matter if a timer runs for the first time, and loads
     * classes, during one of the batches.
     */
    private static final int BATCHES = 7;

    /** The number of requests of one batch. */
    private static final int REQUESTS = 50;

    private AllocatedBytes() {}

    public static void main(String[] arguments) throws Exception {
        MeasuredRequest get = MeasuredRequest.get();
        try (HelloServer server = new HelloServer();
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getAsInt())) {
            get.sendRepeatedly(client, WARM_UP);
            long[] bytes = new long[BATCHES];
            for (int i = 0; i < BATCHES; i++) {
                long before = serverBytes();
                get.sendRepeatedly(client, REQUESTS);
                bytes[i] = (serverBytes() - before) / REQUESTS;
            }
            Arrays.sort(bytes);
            System.out.println(bytes[BATCHES / 2]);
        }
    }

    /** Returns the number of bytes that the threads of the server have allocated since their start. */
    private static long serverBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().matches("(reactor|worker)-.*")) {
                bytes += threads.getThreadAllocatedBytes(thread.getThreadId());
            }
        }
        return bytes;
    }
}
