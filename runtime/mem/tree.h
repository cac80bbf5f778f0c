/* A balanced search tree for nodes embedded in other structs. It is a treap: its shape depends on
 * random priorities, so no order of insertion makes it deep. Keys are pairs, compared first by
 * major, then by minor. They must be unique. */
#ifndef CDP_MEM_TREE_H
#define CDP_MEM_TREE_H

#include <stdint.h>

struct cdp_tree_node {
    struct cdp_tree_node *left, *right;
    uint64_t major, minor; /* const while in a tree */
    uint32_t priority;
};

/* Zero is the empty tree. */
struct cdp_tree {
    struct cdp_tree_node *root;
    uint32_t seed;
};

/* The caller has set node's key. */
void cdp_tree_insert(struct cdp_tree *tree, struct cdp_tree_node *node);
/* The node must be in the tree. */
void cdp_tree_remove(struct cdp_tree *tree, struct cdp_tree_node *node);
/* The node with the largest key at or below (major, minor); NULL if none. */
struct cdp_tree_node *cdp_tree_floor(const struct cdp_tree *tree, uint64_t major, uint64_t minor);
/* The node with the smallest key at or above (major, minor); NULL if none. */
struct cdp_tree_node *cdp_tree_ceiling(const struct cdp_tree *tree, uint64_t major, uint64_t minor);

#endif
