package io.penstock.memory;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JVM's limit for all buffers outside the heap. */
public final class DirectMemory {
    private static final Pattern OPTION = Pattern.compile("-XX:MaxDirectMemorySize=(\\d{1,15})([kKmMgGtT]?)");
    private static final String UNITS = "kmgt";

    private DirectMemory() {}

    /** The limit in bytes. */
    public static long most() {
        return most(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Runtime.getRuntime().maxMemory());
    }

    /**
     * @param arguments the arguments of the JVM; if there are several limits, the last one counts
     * @param heap the maximum size of the heap in bytes, which is the limit if no argument sets one
     */
    static long most(List<String> arguments, long heap) {
        long most = 0;
        for (String argument : arguments) {
            Matcher option = OPTION.matcher(argument);
            if (option.matches()) {
                int unit = option.group(2).isEmpty()
                        ? 0
                        : 1 + UNITS.indexOf(option.group(2).toLowerCase(Locale.ROOT));
                most = Long.parseLong(option.group(1)) << 10 * unit;
            }
        }
        return most > 0 ? most : heap;
    }
}
