package io.penstock.standalone;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Calls the management beans of another process. The process runs a server on this machine, and belongs to the same user.
 *
 * <p>Thread: the thread that calls {@link #ask}.
 *
 * @param number the process id
 */
record RemoteProcess(String number) {

    /** A call of a management bean in the other process. */
    @FunctionalInterface
    interface Question {
        void ask(MBeanServerConnection management, ObjectName bean) throws IOException, JMException;
    }

    /**
     * Passes each bean of the given type to {@code question}.
     *
     * @throws OperatorException if the process does not belong to the same user, or has no server
     */
    @SuppressWarnings("BanJNDI") // the address comes from a process of the same user on this machine
    void ask(String type, Question question) {
        try {
            VirtualMachine machine = VirtualMachine.attach(number);
            try (JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                ask(connector.getMBeanServerConnection(), type, question);
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw failed(e.getMessage() + (hasFilesOfItsOwn() ? ownFilesHint() : ""), e);
        } catch (IOException | JMException e) {
            throw failed(e.toString(), e);
        }
    }

    private void ask(MBeanServerConnection management, String type, Question question) throws IOException, JMException {
        Set<ObjectName> beans = management.queryNames(new ObjectName("io.penstock:type=" + type + ",*"), null);
        if (beans.isEmpty()) {
            throw new OperatorException(ExitCode.START_FAILED, "process " + number + " has no running server", null);
        }
        for (ObjectName bean : beans) {
            question.ask(management, bean);
        }
    }

    /** Whether the other process has a different mount namespace (Linux). If so, the two JVMs cannot find each other's files in /tmp. */
    private boolean hasFilesOfItsOwn() {
        try {
            return !mounts("self").equals(mounts(number));
        } catch (IOException | InvalidPathException e) {
            // This system is not Linux, or the process does not exist or belongs to another user.
            return false;
        }
    }

    private static Path mounts(String process) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", process, "ns", "mnt"));
    }

    private String ownFilesHint() {
        return ". The process has a /tmp of its own, as services of systemd do; as root, put 'nsenter --target "
                + number + " --mount --' before this command";
    }

    private OperatorException failed(String why, Throwable cause) {
        return new OperatorException(ExitCode.START_FAILED, "cannot ask process " + number + ": " + why, cause);
    }
}
