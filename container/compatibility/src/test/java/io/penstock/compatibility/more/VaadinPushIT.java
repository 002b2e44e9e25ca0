package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.vaadin.flow.component.AttachEvent;
import com.vaadin.flow.component.Component;
import com.vaadin.flow.component.Tag;
import com.vaadin.flow.component.UI;
import com.vaadin.flow.component.page.AppShellConfigurator;
import com.vaadin.flow.component.page.Push;
import com.vaadin.flow.dom.ElementFactory;
import com.vaadin.flow.router.Route;
import io.penstock.compatibility.Site;
import io.penstock.compatibility.TextSocket;
import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an application of Vaadin Flow without a descriptor, whose view changes by a thread of the application. The changes reach the page by
 * push over WebSocket. The test writes the messages of Flow's client itself.
 */
class VaadinPushIT {
    private static final Pattern SECURITY_KEY = Pattern.compile("\"Vaadin-Security-Key\":\"([^\"]+)\"");
    private static final Pattern PUSH_ID = Pattern.compile("\"Vaadin-Push-ID\":\"([^\"]+)\"");
    private static final Pattern UI_ID = Pattern.compile("\"v-uiId\":(\\d+)");
    private static final Pattern SYNC_ID = Pattern.compile("\"syncId\":(\\d+)");

    @TempDir
    Path folder;

    @Push
    public static class Shell implements AppShellConfigurator {}

    /** For each poll of the page, a thread adds a line to the view. */
    @Route("")
    @Tag("main")
    public static class View extends Component {
        @Override
        protected void onAttach(AttachEvent event) {
            UI ui = event.getUI();
            getElement().appendChild(ElementFactory.createSpan("a view"));
            // The thread waits for the end of the request. Otherwise the line could be in the response instead.
            ui.addPollListener(poll -> new Thread(() -> ui.accessSynchronously(
                            () -> getElement().appendChild(ElementFactory.createSpan("a line of a thread"))))
                    .start());
        }
    }

    private Path war() throws IOException {
        return new War()
                .classes(VaadinPushIT.class)
                .with("WEB-INF/classes/META-INF/VAADIN/config/flow-build-info.json", "{\"productionMode\":true}")
                .libraries(
                        "flow-server",
                        "flow-push",
                        "signals",
                        "atmosphere-runtime-3.0.5",
                        "jackson-core-2",
                        "jackson-databind-2",
                        "jackson-annotations-2",
                        "jackson-datatype-jsr310",
                        "gentyref",
                        "gwt-elemental",
                        "jsoup",
                        "commons-fileupload2",
                        "commons-io",
                        "slf4j-api")
                .write(folder.resolve("vaadin.war"));
    }

    @Test
    void aChangeByAThreadIsPushedToThePageOverWebSocket() throws Exception {
        Trial.of(folder, war()).run(site -> Page.opened(site).getsLines());
    }

    /** What Flow's client knows of its page. */
    private record Page(Site site, String key, String ui, TextSocket push) {
        static Page opened(Site site) throws Exception {
            HttpResponse<String> start = site.get("?v-r=init&location=&query=");
            assertEquals(200, start.statusCode(), start::body);
            String ui = found(UI_ID, start.body());
            TextSocket push = TextSocket.open(
                    site,
                    "VAADIN/push?v-r=push&v-uiId=" + ui + "&v-pushId=" + found(PUSH_ID, start.body())
                            + "&X-Atmosphere-tracking-id=0&X-Atmosphere-Framework=3.1.5-vaadin"
                            + "&X-Atmosphere-Transport=websocket&X-Atmosphere-TrackMessageSize=true"
                            + "&Content-Type=application/json;charset=UTF-8&X-atmo-protocol=true");
            assertTrue(push.next().matches("(?s)\\d+\\|.+\\|\\d+\\|.*"), "the first message has an id");
            return new Page(site, found(SECURITY_KEY, start.body()), ui, push);
        }

        private static String found(Pattern pattern, String text) {
            Matcher found = pattern.matcher(text);
            assertTrue(found.find(), text);
            return found.group(1);
        }

        /** The page tells its address, and gets the view. Then it polls over HTTP, and over WebSocket. */
        void getsLines() throws Exception {
            String view = post(
                    0, 0, "ui-navigate", "'route':'','query':'','appShellTitle':'','historyState':null,'trigger':''");
            assertTrue(view.contains("a view"), view);
            post(sync(view), 1, "ui-poll", "");
            String message = message(sync(push.nextWith("a line of a thread")), 2, "ui-poll", "");
            push.send(message.length() + "|" + message);
            push.nextWith("a line of a thread");
            push.close();
        }

        private static int sync(String message) {
            return Integer.parseInt(found(SYNC_ID, message));
        }

        private String post(int sync, int client, String event, String data) throws Exception {
            HttpResponse<String> answer = site.post(
                    "?v-r=uidl&v-uiId=" + ui, "application/json; charset=UTF-8", message(sync, client, event, data));
            assertEquals(200, answer.statusCode(), answer::body);
            return answer.body();
        }

        private String message(int sync, int client, String event, String data) {
            return """
                    {'csrfToken':'%s','rpc':[{'type':'event','node':1,'event':'%s','data':{%s}}],'syncId':%d,'clientId':%d}""".formatted(key, event, data, sync, client).replace('\'', '"');
        }
    }
}
