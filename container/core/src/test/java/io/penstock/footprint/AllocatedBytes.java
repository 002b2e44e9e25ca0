package io.penstock.footprint;

import com.sun.management.ThreadMXBean;
import io.penstock.footprint.server.HelloServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A program that prints how many bytes of the heap the server's threads allocate for a GET. Interpreted ({@code -Xint}), it is what the
 * source says: a compiler leaves some of the objects out.
 */
public final class AllocatedBytes {
    /** After so many all that is made once has been made. */
    private static final int WARM_UP = 100;

    private static final int REQUESTS = 300;

    private AllocatedBytes() {}

    public static void main(String[] arguments) throws Exception {
        MeasuredRequest get = MeasuredRequest.get();
        try (HelloServer server = new HelloServer();
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getAsInt())) {
            get.askOften(client, WARM_UP);
            long before = ofServer();
            get.askOften(client, REQUESTS);
            System.out.println((ofServer() - before) / REQUESTS);
        }
    }

    /** By the threads that serve requests, since they began. */
    private static long ofServer() {
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
