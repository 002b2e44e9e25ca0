package io.penstock.standalone;

import java.io.PrintWriter;
import javax.management.ObjectName;

/**
 * Prints the current activity of the servers in another process on this machine.
 *
 * <p>Thread: the thread that calls {@link #print}.
 *
 * @param process the process id
 */
record RemoteDump(String process) {

    /** @throws OperatorException if the process does not belong to the same user, or has no server */
    void print(PrintWriter out) {
        new RemoteProcess(process).ask("Server", (management, server) -> {
            out.println("Penstock " + address(server) + " in process " + process);
            out.println();
            out.println(management.invoke(server, "dump", new Object[0], new String[0]));
        });
        out.flush();
    }

    private static String address(ObjectName server) {
        String port = server.getKeyProperty("port");
        return port == null ? "at " + ObjectName.unquote(server.getKeyProperty("socket")) : "on port " + port;
    }
}
