package io.penstock.standalone;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Asks the servers of another process on this machine what they do at this moment, by its management.
 *
 * <p>Thread: the one that calls {@link #print}.
 *
 * @param process its number
 */
record RemoteDump(String process) {

    /** @throws OperatorException if that process is none of the same user's, or has no server */
    @SuppressWarnings("BanJNDI") // the process, of the same user on this machine, says itself where it is
    void print(PrintWriter out) {
        try {
            VirtualMachine machine = VirtualMachine.attach(process);
            try (JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                print(connector.getMBeanServerConnection(), out);
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw failed(String.valueOf(e.getMessage()), e);
        } catch (IOException | JMException e) {
            throw failed(e.toString(), e);
        }
    }

    private void print(MBeanServerConnection management, PrintWriter out) throws IOException, JMException {
        Set<ObjectName> servers = management.queryNames(new ObjectName("io.penstock:type=Server,*"), null);
        if (servers.isEmpty()) {
            throw new OperatorException(ExitCode.START_FAILED, "process " + process + " has no server that runs", null);
        }
        for (ObjectName server : servers) {
            out.println("Penstock on port " + server.getKeyProperty("port") + " in process " + process);
            out.println();
            out.println(management.invoke(server, "dump", new Object[0], new String[0]));
        }
        out.flush();
    }

    private OperatorException failed(String why, Throwable cause) {
        return new OperatorException(ExitCode.START_FAILED, "cannot ask process " + process + ": " + why, cause);
    }
}
