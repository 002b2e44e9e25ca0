package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HelpTextTest {

    @Test
    void theHelpNamesEachOptionThatIsNoKey() {
        StringWriter written = new StringWriter();
        HelpText.print(HelpText.Extent.ALL, new PrintWriter(written));
        String help = written.toString().replaceAll("\\s+", " ");
        int from = help.indexOf("), except --config,");
        Set<String> named = new TreeSet<>();
        Matcher option = Pattern.compile("--[a-z-]+").matcher(help.substring(from, help.indexOf('.', from)));
        while (option.find()) {
            named.add(option.group());
        }
        Set<String> withValue = new TreeSet<>();
        for (CommandOption each : CommandOption.values()) {
            if (each.label() != null) {
                withValue.add(each.written());
            }
        }
        assertEquals(withValue, named);
    }
}
