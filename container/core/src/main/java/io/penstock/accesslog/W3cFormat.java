package io.penstock.accesslog;

import io.penstock.events.Notes;
import io.penstock.events.RequestSummary;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The W3C Extended Log File Format with the fields that the operator has chosen. Each file begins with the names of the fields. A blank always
 * ends a field. Fields that the W3C does not define begin with {@code x-}.
 */
final class W3cFormat implements LineFormat {
    private final List<LogField> fields;

    W3cFormat(List<LogField> fields) {
        this.fields = fields;
    }

    @Override
    public String preamble() {
        return "#Version: 1.0\n#Fields: " + fields.stream().map(LogField::name).collect(Collectors.joining(" ")) + "\n";
    }

    @Override
    public Notes.Wanted wanted() {
        return LogField.wanted(fields);
    }

    @Override
    public void write(RequestSummary summary, Notes notes, LineBuffer out) {
        for (int i = 0; i < fields.size(); i++) {
            if (i > 0) {
                out.plain(' ');
            }
            fields.get(i).word().write(summary, notes, out);
        }
        out.plain('\n');
    }
}
