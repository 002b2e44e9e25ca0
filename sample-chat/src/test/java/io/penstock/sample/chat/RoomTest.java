package io.penstock.sample.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RoomTest {
    private final Room room = new Room();

    /**
     * The browser of a guest. A fast browser reads each message immediately. A slow browser reads a message when the test calls {@link
     * #read}.
     */
    private static final class Browser implements Output {
        private final List<String> heard = new ArrayList<>();
        private final List<Consumer<Boolean>> unread = new ArrayList<>();
        private final boolean fast;
        private int closes;

        private Browser(boolean fast) {
            this.fast = fast;
        }

        @Override
        public void send(String message, Consumer<Boolean> then) {
            heard.add(message);
            if (fast) {
                then.accept(true);
            } else {
                unread.add(then);
            }
        }

        private void read(boolean succeeds) {
            unread.remove(0).accept(succeeds);
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void allGuestsReceiveEachMessage() {
        Browser first = new Browser(true);
        Browser second = new Browser(true);
        Guest one = room.enter(first);
        Guest two = room.enter(second);
        room.say(two, "  Hello \n");
        room.say(one, "   ");
        room.leave(two);
        room.leave(two);
        assertEquals(List.of("you 1", "present 1", "present 2", "said 2 Hello", "present 1"), first.heard);
        assertEquals(List.of("you 2", "present 2", "said 2 Hello"), second.heard);
    }

    @Test
    void aTextThatIsTooLongIsShortened() {
        Browser browser = new Browser(true);
        room.say(room.enter(browser), "x".repeat(Room.MOST_CHARACTERS + 1));
        assertEquals("said 1 " + "x".repeat(Room.MOST_CHARACTERS), browser.heard.get(2));
    }

    @Test
    void aGuestReceivesOneMessageAtATimeInOrder() {
        Browser slow = new Browser(false);
        Guest guest = room.enter(slow);
        room.say(guest, "a");
        assertEquals(List.of("you 1"), slow.heard);
        slow.read(true);
        slow.read(true);
        slow.read(true);
        assertEquals(List.of("you 1", "present 1", "said 1 a"), slow.heard);
        room.say(guest, "b");
        assertEquals("said 1 b", slow.heard.get(3));
    }

    @Test
    void otherGuestsStillReceiveMessagesAfterTheDisconnectionOfAGuestThatDoesNotRead() {
        Browser slow = new Browser(false);
        Browser fast = new Browser(true);
        room.enter(slow);
        Guest guest = room.enter(fast);
        for (int i = 0; i < Guest.MOST_WAITING; i++) {
            room.say(guest, "line " + i);
        }
        assertEquals(1, slow.closes);
        assertEquals(List.of("you 1"), slow.heard);
        assertEquals("said 2 line 99", fast.heard.get(fast.heard.size() - 1));
    }

    @Test
    void aGuestIsDisconnectedIfItsConnectionFails() {
        Browser broken = new Browser(false);
        Guest guest = room.enter(broken);
        broken.read(false);
        room.say(guest, "a");
        assertEquals(List.of("you 1"), broken.heard);
        assertEquals(1, broken.closes);
    }

    @Test
    void aGuestCanEnterAFullRoomOnlyAfterAnotherGuestHasLeft() {
        Guest last = room.enter(new Browser(true));
        for (int i = 1; i < Room.MOST_GUESTS; i++) {
            assertNotNull(room.enter(new Browser(true)));
        }
        assertNull(room.enter(new Browser(true)));
        room.leave(last);
        assertNotNull(room.enter(new Browser(true)));
    }
}
