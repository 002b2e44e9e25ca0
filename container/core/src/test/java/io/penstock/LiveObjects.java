package io.penstock;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/** The histogram of all live objects of this JVM, which collects garbage first. */
public final class LiveObjects {
    private static final String OPERATION = "gcClassHistogram";

    private LiveObjects() {}

    /** Its lines, as columns: number, instances, bytes, class; the last one is {@code Total}, instances, bytes. */
    public static List<String[]> histogram() {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            OPERATION,
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return text.toString()
                    .strip()
                    .lines()
                    .map(line -> line.trim().split(" +"))
                    .toList();
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
