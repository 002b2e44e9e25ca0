package io.penstock.standalone;

import io.penstock.log.JulBridge;
import io.penstock.log.LogProvider;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** The entry point of the process: {@code java -jar penstock.jar [options] [PORT] [APP | /context=APP | //host/context=APP]...}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        LogProvider.install();
        ClassesAhead.SERVER.load();
        JulBridge.install();
        System.exit(
                new Command(System.getenv(), terminal(System.out), terminal(System.err), null, Distribution.installed())
                        .execute(args));
    }

    static PrintWriter terminal(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
    }
}
