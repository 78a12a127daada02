//! The semantic hierarchy: which text belongs under which.
//!
//! Yerra, thesis, 2005, section 4.1, tells what it is for: a tree without tags, whose nodes hold
//! the content and whose root is the document. How it is built is ours:
//!
//! - *cluster*: text between the ends of blocks is one node, whatever marks up its letters; two
//!   line breaks end it;
//! - *headings*: a heading of rank r ends the sections of rank r and lower and opens one; what
//!   follows belongs under it. Articles, sections, list items, cells and the like end the sections
//!   opened inside them; a footer belongs to the whole it stands in;
//! - *promote*: blocks that only hold others (`div`, `section`, a table for layout, …) give what
//!   they hold to what they are in; a term is the parent of its definitions, a caption, a summary
//!   and a legend of what they stand before;
//! - *merge*: a node without text of its own and with one child is replaced by the child.
//!
//! Nodes are made in document order, and each under one that is still open, so that document order
//! is the pre-order of the tree.

use super::elements::*;
use super::page::Element;
use super::tables::Table;
use super::visible::Run;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Role {
    #[default]
    Body,
    Heading,
    Table,
    List,
    Quote,
    Caption,
    Navigation,
    Footer,
}

impl Role {
    /// The names, in the order of the numbers.
    pub const NAMES: [&'static str; 8] =
        ["body", "heading", "table", "list", "quote", "caption", "navigation", "footer"];

    /// The role of what is inside, if it is of this role by itself.
    fn inside(self, outer: Self) -> Self {
        if matches!(outer, Self::Navigation | Self::Footer) { outer } else { self }
    }
}

/// A node of the hierarchy.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The node it belongs under; the root belongs under itself.
    pub parent: u32,
    /// What it is.
    pub role: Role,
    /// Its own text; empty if it only holds others.
    pub run: Run,
    /// The element its text is in.
    pub element: u32,
    /// Of a cell: the headers of its column, outermost first.
    pub headers: Vec<u32>,
}

/// What happens in a page, in order.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A block or cell opens.
    Open {
        /// Which it is.
        element: u32,
        /// Its name.
        name: u16,
        /// What the author says it is for.
        region: Option<Role>,
    },
    /// It closes.
    Close(u32),
    /// Text, up to the next block's start or end.
    Text(Run),
}

/// Events as they are noted.
#[derive(Default)]
pub struct Events(Vec<Event>);

impl Events {
    /// A block or cell opens.
    pub fn open(&mut self, element: u32, name: u16, region: Option<Role>) {
        self.0.push(Event::Open { element, name, region });
    }

    /// An element closes; one that is no block means nothing.
    pub fn close(&mut self, element: u32) {
        self.0.push(Event::Close(element));
    }

    /// A run of text has ended.
    pub fn text(&mut self, run: Run) {
        self.0.push(Event::Text(run));
    }
}

/// A stretch of the page in which headings hold.
#[derive(Default)]
struct Scope {
    element: u32,
    /// The node of the scope, or the one it is promoted to.
    node: u32,
    role: Role,
    /// Open sections: rank and node.
    sections: Vec<(u8, u32)>,
    /// The first text is that of the node itself.
    takes_text: bool,
    /// Of what the first text is the heading in the scope around: `CAPTION`, or a heading's rank.
    heads: Option<u8>,
    table: Option<Box<Table>>,
    is_row: bool,
}

/// A rank that no heading closes.
pub const FIRM: u8 = 0;

/// Build the hierarchy from what happened.
pub fn build(events: &Events, elements: &[Element]) -> Vec<Node> {
    let mut builder = Builder { elements, ..Builder::default() };
    builder.nodes.push(Node { role: Role::Heading, ..Node::default() });
    builder.scopes.push(Scope::default());
    for event in &events.0 {
        match *event {
            Event::Open { element, name, region } => builder.open(element, name, region),
            Event::Close(element) => builder.close(element),
            Event::Text(run) => builder.text(run),
        }
    }
    pruned(builder.nodes)
}

#[derive(Default)]
struct Builder<'a> {
    elements: &'a [Element],
    nodes: Vec<Node>,
    scopes: Vec<Scope>,
    /// Open blocks, and whether each opened a scope.
    blocks: Vec<(u32, bool)>,
}

impl Builder<'_> {
    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope stays")
    }

    /// The node that comes next belongs under this one.
    fn current(&mut self) -> u32 {
        let scope = self.scope();
        scope.sections.last().map_or(scope.node, |&(_, node)| node)
    }

    fn node(&mut self, parent: u32, role: Role, element: u32) -> u32 {
        self.nodes.push(Node { parent, role, element, ..Node::default() });
        (self.nodes.len() - 1) as u32
    }

    fn open(&mut self, element: u32, name: u16, region: Option<Role>) {
        if !matches!(name, THEAD | TBODY | TFOOT | TR | TD | TH) {
            self.interrupt();
        }
        let outer = self.scope().role;
        if name == FOOTER || region == Some(Role::Footer) {
            self.scope().sections.clear(); // it belongs to the whole, not to the last heading
        }
        let parent = self.current();
        let mut scope = Scope { element, node: parent, role: outer, ..Scope::default() };
        let is_scope = match (region, name) {
            (Some(region), _) => self.group(&mut scope, region),
            (_, NAV) => self.group(&mut scope, Role::Navigation),
            (_, FOOTER) => self.group(&mut scope, Role::Footer),
            (_, UL | OL | MENU | DIR | DL) => self.group(&mut scope, Role::List),
            (_, BLOCKQUOTE) => self.group(&mut scope, Role::Quote),
            (_, ARTICLE | ASIDE | FIGURE | DETAILS) => self.group(&mut scope, outer),
            (_, TABLE) => self.table(&mut scope),
            (_, SECTION | MAIN | FORM | FIELDSET) => true,
            (_, LI | DD | ADDRESS) => self.item(&mut scope, outer),
            (_, DT) => self.term(&mut scope),
            (_, TR) => self.row(&mut scope),
            (_, TD | TH) => self.cell(&mut scope, name == TH),
            (_, H1..=H6) => self.title(&mut scope, Role::Heading, rank_of(name)),
            (_, LEGEND | SUMMARY) => self.title(&mut scope, Role::Heading, Some(FIRM)),
            (_, CAPTION | FIGCAPTION) => self.title(&mut scope, Role::Caption, Some(FIRM)),
            _ => false,
        };
        if is_scope {
            self.scopes.push(scope);
        }
        self.blocks.push((element, is_scope));
    }

    fn close(&mut self, element: u32) {
        if self.blocks.last().is_some_and(|&(open, _)| open == element)
            && let Some((_, is_scope)) = self.blocks.pop()
            && is_scope
        {
            self.scopes.pop();
        }
    }

    /// A node that holds others, in a region or by its nature.
    fn group(&mut self, scope: &mut Scope, role: Role) -> bool {
        scope.role = role.inside(scope.role);
        scope.node = self.node(scope.node, scope.role, scope.element);
        true
    }

    /// A node whose first text is its own.
    fn item(&mut self, scope: &mut Scope, role: Role) -> bool {
        scope.takes_text = true;
        self.group(scope, role)
    }

    /// A term: the parent of the definitions up to the next one.
    fn term(&mut self, scope: &mut Scope) -> bool {
        let list = self.scope();
        list.sections.clear();
        scope.node = list.node;
        self.item(scope, Role::List);
        self.scope().sections.push((FIRM, scope.node));
        true
    }

    /// A heading or caption: it gets its node with its first text.
    fn title(&mut self, scope: &mut Scope, role: Role, rank: Option<u8>) -> bool {
        scope.role = role.inside(scope.role);
        scope.heads = rank;
        true
    }

    fn table(&mut self, scope: &mut Scope) -> bool {
        if let Some(table) = Table::of(scope.element, self.elements) {
            scope.table = Some(Box::new(table));
            return self.group(scope, Role::Table);
        }
        true
    }

    /// A row; one without a header at its start is a node that holds its cells.
    fn row(&mut self, scope: &mut Scope) -> bool {
        let element = scope.element;
        let row = self.elements[element as usize];
        let [cells, headers] = row.counts;
        let in_thead = self.elements[row.parent as usize].name == THEAD;
        let Some(table) = self.scope().table.as_mut() else { return false };
        table.row(cells, headers, in_thead);
        scope.is_row = true;
        if let Some(node) = table.row_header() {
            scope.node = node;
        } else if !table.is_header_row() && headers == 0 {
            self.group(scope, Role::Table);
        }
        true
    }

    fn cell(&mut self, scope: &mut Scope, is_header: bool) -> bool {
        let spans = self.elements[scope.element as usize].counts;
        // The table is the scope around that of the row.
        let at = self.scopes.len().wrapping_sub(2);
        let Some(table) = self.scopes.get_mut(at).and_then(|outer| outer.table.as_mut()) else {
            return true;
        };
        let next = self.nodes.len() as u32;
        let (under, headers) = table.cell(next, spans, is_header);
        scope.node = under.unwrap_or(scope.node);
        self.item(scope, Role::Table);
        self.nodes[next as usize].headers = headers;
        true
    }

    /// What stands in a table but in no cell ends the headers of rows: they hold no longer.
    fn interrupt(&mut self) {
        let at = self.scopes.len() - 1 - usize::from(self.scope().is_row);
        if let Some(table) = &mut self.scopes[at].table {
            table.forget();
        }
    }

    fn text(&mut self, run: Run) {
        self.interrupt();
        let element = self.blocks.last().map_or(0, |&(element, _)| element);
        if let Some(rank) = self.scope().heads.take() {
            self.headed(run, element, rank);
            return;
        }
        let scope = self.scope();
        let (own, role) = (scope.node as usize, scope.role);
        if scope.takes_text && own + 1 == self.nodes.len() && self.nodes[own].run == Run::default()
        {
            self.nodes[own].run = run;
            self.nodes[own].element = element;
            return;
        }
        let parent = self.current();
        let node = self.node(parent, role, element);
        self.nodes[node as usize].run = run;
    }

    /// The first text of a heading: a section of the scope around it.
    fn headed(&mut self, run: Run, element: u32, rank: u8) {
        let own = self.scopes.pop().unwrap_or_default();
        // A caption behind what it belongs to is one of its parts.
        let leads = rank != FIRM || self.scope().node as usize + 1 == self.nodes.len();
        if rank != FIRM {
            while self.scope().sections.last().is_some_and(|&(open, _)| open >= rank) {
                self.scope().sections.pop();
            }
        }
        let parent = self.current();
        let node = self.node(parent, own.role, element);
        self.nodes[node as usize].run = run;
        if leads {
            self.scope().sections.push((rank, node));
        }
        self.scopes.push(Scope { node, sections: Vec::new(), ..own });
    }
}

/// The nodes that hold something, those with a single child merged into it.
fn pruned(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut children = vec![0u32; nodes.len()];
    let has_text = |node: &Node| node.run.start < node.run.end;
    for n in (1..nodes.len()).rev() {
        if has_text(&nodes[n]) || children[n] > 0 {
            children[nodes[n].parent as usize] += 1;
        }
    }
    // Where each node goes: its new number, or that of the node it is merged into.
    let mut places = vec![None; nodes.len()];
    let mut heirs = vec![0u32; nodes.len()];
    let mut kept = 0u32;
    for (n, node) in nodes.iter().enumerate() {
        let stays = n == 0 || has_text(node) || children[n] > 1;
        heirs[n] = if stays { kept } else { heirs[node.parent as usize] };
        if stays {
            places[n] = Some(kept);
            kept += 1;
        }
    }
    for n in 0..nodes.len() {
        let parent = heirs[nodes[n].parent as usize];
        let node = &mut nodes[n];
        node.parent = parent;
        node.headers = node.headers.iter().filter_map(|&n| places[n as usize]).collect();
    }
    let mut stays = places.iter();
    nodes.retain(|_| stays.next().is_some_and(Option::is_some));
    nodes
}

#[cfg(test)]
mod tests {
    use super::super::read;

    /// Each node as its parent and its text.
    fn tree(page: &str) -> Vec<(u32, String)> {
        let page = read(page);
        page.nodes[1..].iter().map(|node| (node.parent, page.text_of(node).to_owned())).collect()
    }

    fn rows(rows: &[(u32, &str)]) -> Vec<(u32, String)> {
        rows.iter().map(|&(parent, text)| (parent, text.to_owned())).collect()
    }

    #[test]
    fn headings_open_and_close_sections_by_rank() {
        let found = tree("<h1>A</h1>one<h3>B</h3>two<h2>C</h2>three<h1>D</h1>");
        let wanted = [(0, "A"), (1, "one"), (1, "B"), (3, "two"), (1, "C"), (5, "three"), (0, "D")];
        assert_eq!(found, rows(&wanted));
    }

    #[test]
    fn groups_with_one_child_are_that_child_and_empty_ones_are_gone() {
        assert_eq!(tree("<ul></ul><nav><ul><li>one</ul></nav>"), rows(&[(0, "one")]));
    }

    #[test]
    fn cells_are_under_row_headers_and_name_those_of_their_column() {
        let page = read("<table><tr><th>k<th>x<tr><th rowspan=2>a<td>1<tr><td>2</table>");
        let named = |text: &str| {
            let node = page.nodes.iter().find(|node| page.text_of(node) == text).expect("a node");
            let above = page.text_of(&page.nodes[node.parent as usize]).to_owned();
            let heads = node.headers.iter().map(|&n| page.text_of(&page.nodes[n as usize]));
            (above, heads.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(named("1"), ("a".into(), "x".into()));
        assert_eq!(named("2"), ("a".into(), "x".into()));
    }

    #[test]
    fn a_page_of_open_tags_takes_time_by_its_length() {
        for part in ["<div>x", "<table><tr><td>x", "<ul><li>x", "<b><p></b>x", "<dl><dt>x<dd>"] {
            assert_eq!(read(&part.repeat(100_000)).text.matches('x').count(), 100_000);
        }
    }
}
